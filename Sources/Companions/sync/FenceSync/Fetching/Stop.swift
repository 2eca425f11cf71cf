/// Whether the program is to end, for what waits.
@MainActor
package final class Stop {
    /// Set by a signal.
    package var isRequested = false

    package init() {}
}
