import Bytes
import Glibc
import Program

/// A progress bar, shown on a terminal only.
final class ProgressBar {
    private let name: String
    private var shown = ""

    init(_ name: String) { self.name = name }

    /// From 0 to 1.
    func show(_ fraction: Double) {
        guard Terminal.errors.isTerminal else { return }
        let percent = Int((min(max(fraction, 0), 1) * 100).rounded(.down))
        let room = Terminal.size.columns - 9
        guard room > 0 else { return }
        let barWidth = min(40, room / 2)
        let filled = barWidth * percent / 100
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: barWidth - filled)
        let label = name.printable.truncated(to: room - barWidth)
        let line = "\(label) [\(bar)] \("\(percent)".aligned(to: 3)) %"
        guard line != shown else { return }
        shown = line
        try? writeAll(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO, "standard error")
    }

    /// Clears the line.
    func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        try? writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO, "standard error")
    }
}
