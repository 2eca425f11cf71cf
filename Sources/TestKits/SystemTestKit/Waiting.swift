import Glibc
package import Systemd
import Time

/// Polls `condition` until it is true; false when it is not within `seconds`.
@discardableResult
package func waitUntil(seconds: Double = 10, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = monotonicSeconds() + seconds
    while try !condition() {
        guard monotonicSeconds() < deadline else { return try condition() }
        usleep(2000)
    }
    return true
}

extension EventLoop {
    /// Runs the loop until `condition` holds; false when it does not within `seconds`: a test
    /// cannot hang in it.
    @discardableResult
    package func run(
        seconds: Double = 10, until condition: @MainActor () -> Bool
    ) throws -> Bool {
        let deadline = monotonicSeconds() + seconds
        while !condition() {
            guard monotonicSeconds() < deadline else { return false }
            // Short, so that a condition outside of the loop (a program that ends) is seen too.
            try runOnce(timeout: .milliseconds(5))
        }
        return true
    }

    /// Runs the loop until the program has ended; nil when it does not in time.
    package func run(
        untilEndOf process: Subprocess, seconds: Double = 20
    ) throws -> Subprocess.Ending? {
        try run(seconds: seconds) { process.hasEnded }
        return process.ending
    }
}

private func monotonicSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
