import CGPIO
import Glibc
import Systemd

// Unsafe: read(2) gets an array of events of ours with its own size, and only whole events that it
// has written are looked at.

/// Reads the edges of a requested GPIO line, as the kernel writes them: see `gpio_v2_line_event` in
/// linux/gpio.h.
@MainActor
final class LineReader {
    private let descriptor: Int32
    private var source: IOSource?
    private var events = [gpio_line_event](repeating: gpio_line_event(), count: 16)

    /// Calls `handler` with the last of the edges that arrived together, and with
    /// ``InputReading/absent(_:)`` once when the line has gone. Takes over the descriptor.
    init(
        _ loop: EventLoop, descriptor: Int32, handler: @escaping @MainActor (InputReading) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        source = try IOSource(loop, descriptor: descriptor, events: .readable) { [weak self] _ in
            guard let self, let reading = next() else { return }
            if case .absent = reading { source = nil }
            handler(reading)
        }
    }

    deinit { close(descriptor) }

    /// Nil if there is nothing to read.
    private func next() -> InputReading? {
        let size = MemoryLayout<gpio_line_event>.size
        let count = unsafe events.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 else {
            return errno == EAGAIN || errno == EINTR ? nil : .absent("the line has gone")
        }
        // The kernel writes whole events, and drops the oldest where there are too many.
        guard count >= size, count % size == 0 else { return .absent("the line has gone") }
        // With active-low the kernel already calls the way to active a rising edge.
        return events[count / size - 1].id == gpio_rising ? .on : .off
    }
}
