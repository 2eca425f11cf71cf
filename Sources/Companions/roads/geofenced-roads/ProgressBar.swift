import Glibc
import Program

/// The progress bar on standard error, if that is a terminal.
struct ProgressBar {
    private var shown = ""
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// - Parameter share: from 0 to 1.
    mutating func show(_ name: String, _ share: Double) {
        guard isTerminal else { return }
        let percent = Int((min(max(share, 0), 1) * 100).rounded(.down))
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        let line = "\(name.suffix(30)) [\(bar)] \(percent) %"
        guard line != shown else { return }
        shown = line
        put("\r\(line)\u{1B}[K")
    }

    /// Removes the bar.
    mutating func clear() {
        guard !shown.isEmpty else { return }
        shown = ""
        put("\r\u{1B}[K")
    }

    private func put(_ text: String) {
        try? writeAll(Array(text.utf8), to: STDERR_FILENO, "standard error")
    }
}
