import Glibc

// Unsafe: write(2) and ioctl(2) are given arrays and structs of ours with their sizes.

/// Messages and the progress bar.
struct StandardError {
    private var shown = ""
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// A line, with control characters of names and values replaced.
    mutating func line(_ text: String) {
        clear()
        put(String(text.map { $0.isControl ? "\u{FFFD}" : $0 }) + "\n")
    }

    /// On a terminal only; from 0 to 1.
    mutating func progress(_ name: String, _ share: Double) {
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
        let bytes = Array(text.utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
