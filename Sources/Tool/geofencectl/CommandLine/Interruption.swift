import Glibc

// Unsafe: the handler of a signal writes one number, and that is all that is shared.

/// Ctrl-C and its kin, noticed between two steps of something long, so that it can clean up.
enum Interruption {
    nonisolated(unsafe) private static var signal: Int32 = 0

    /// From now on signals that end the program are noted instead.
    static func note() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { unsafe Interruption.signal = $0 }
            unsafe sigaction(number, &action, nil)
        }
    }

    /// - Throws: ``Failure`` when one came.
    static func check() throws {
        if unsafe signal != 0 { throw unsafe Failure.interrupted(signal) }
    }
}
