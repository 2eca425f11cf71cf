import Memory
package import Systemd
import Time

/// Gives memory back where a program is idle: what has started it, and connected it, is needed only
/// once, and is most of the memory of many.
@MainActor
package final class Shrinking {
    private var readOnly = ReadOnlySegments()
    private var timer: TimerSource?

    /// A program that has done nothing for so long is idle.
    private static let quiet = TimeSpan.seconds(10)

    /// - Parameter done: called after each time that was put off.
    package init(_ loop: EventLoop, done: @escaping () -> Void = {}) throws(SystemError) {
        timer = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
            self?.now()
            done()
        }
    }

    /// Releases what can be read again from files.
    package func now() { readOnly.giveBack() }

    /// Does it later: the program works.
    package func later() { timer?.arm(at: EventLoop.uptime + Self.quiet) }
}
