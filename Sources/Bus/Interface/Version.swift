/// The version of both programs; the same as in CHANGELOG.md and debian/changelog.
package enum Version {
    /// As `--version` and the property `Version` give it.
    package static let current = "0.1.0"
}
