import Glibc
import Program

// Unsafe: the signal handler writes one number, and nothing else is shared.

/// Ctrl-C and the like, checked between the steps of a long operation, so that it can clean up.
enum Interruption {
    nonisolated(unsafe) private static var signal: Int32 = 0

    /// From now on, signals that would end the program are only recorded.
    static func note() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { unsafe Interruption.signal = $0 }
            unsafe sigaction(number, &action, nil)
        }
    }

    /// - Throws: ``Failure`` when a signal has come.
    static func check() throws {
        if unsafe signal != 0 { throw unsafe Failure.interrupted(signal) }
    }
}
