import CGPIO
import Glibc
package import Systemd
import Time

// Unsafe: ioctl(2) gets structures of the shim, and the name of the consumer as a C string.

/// Watches a GPIO line through the kernel's character device, and opens it again if its chip goes
/// and comes back. Between two edges it costs nothing.
@MainActor
package final class LineWatch {
    private let loop: EventLoop
    private let line: GPIOLine
    private let path: String
    private let handler: @MainActor (InputReading) -> Void
    private var reader: LineReader?
    private var retry: TimerSource?
    private var backOff = BackOff(limit: .seconds(300))

    /// Calls `handler` with the present state, soon, and then at each edge.
    package init(
        on loop: EventLoop, line: GPIOLine, handler: @escaping @MainActor (InputReading) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.line = line
        self.handler = handler
        path = "/dev/\(line.chip)"
        retry = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.open() }
        retry?.arm(at: EventLoop.uptime)
    }

    private func open() {
        reader = nil
        do throws(SystemError) {
            let descriptor = try request()
            // Edges from now on wait in the descriptor.
            let value = gpio_value(descriptor)
            reader = try LineReader(loop, descriptor: descriptor) { [weak self] in
                self?.heard($0)
            }
            guard value >= 0 else {
                throw SystemError(operation: "reading line \(line.offset)", errno: -value)
            }
            backOff.succeed()
            handler(value > 0 ? .on : .off)
        } catch {
            heard(.absent("\(error)"))
        }
    }

    private func request() throws(SystemError) -> Int32 {
        let chip = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard chip >= 0 else {
            throw SystemError(operation: "opening \(path)", errno: errno)
        }
        defer { close(chip) }
        let descriptor = unsafe gpio_request_input(
            chip, line.offset, line.isActiveLow ? 1 : 0, line.debounceMicroseconds, "geofenced")
        guard descriptor >= 0 else {
            throw SystemError(
                operation: "requesting line \(line.offset) of \(path)", errno: -descriptor)
        }
        // A reader that is woken for nothing must not wait.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    private func heard(_ reading: InputReading) {
        if case .absent = reading {
            backOff.fail(at: EventLoop.uptime)
            if let until = backOff.until { retry?.arm(at: until) }
        }
        handler(reading)
    }
}
