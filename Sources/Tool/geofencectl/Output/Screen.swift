import Glibc
import Program

// Unsafe: the terminal's settings and keys go to and from memory of ours.

/// A terminal used for a screen that is drawn again and again; it is restored when this is
/// released. Plain ECMA-48, which every terminal understands.
@MainActor
final class Screen {
    private var original = termios()
    private let hasKeys: Bool
    private var isTaken = false

    init() {
        hasKeys = unsafe isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &original) == 0
        take()
    }

    /// Keys are read one by one; the alternate screen is used, without a cursor.
    func take() {
        guard !isTaken else { return }
        isTaken = true
        if hasKeys {
            var raw = original
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        }
        send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Restores the terminal.
    func release() {
        guard isTaken else { return }
        isTaken = false
        send("\u{1B}[?25h\u{1B}[?1049l")
        if hasKeys { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &original) }
    }

    /// Draws lines no wider than the terminal; those that do not fit below are left out.
    func draw(_ lines: [String], rows: Int) {
        guard isTaken else { return }
        let visible = lines.prefix(max(1, rows)).map { $0 + "\u{1B}[K" }
        send("\u{1B}[H" + visible.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Keys pressed since the last time.
    func keys() -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(STDIN_FILENO, &room, room.count)
        return count > 0 ? Array(room[..<count]) : []
    }

    /// Whether there is a keyboard.
    var canBeAsked: Bool { hasKeys }

    private func send(_ text: String) {
        // A terminal that has gone sends SIGHUP.
        try? writeAll(Array(text.utf8), to: STDOUT_FILENO, "the terminal")
    }
}
