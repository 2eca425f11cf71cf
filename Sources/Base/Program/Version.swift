/// The version of all programs; the same as in CHANGELOG.md and debian/changelog.
package enum Version {
    /// Reported by `--version` and the property `Version`.
    package static let current = "0.1.0"
}
