import Glibc
import Time

// Unsafe: system calls take a path or an array of ours, with its own count.

/// The log of a program: entries with fields where standard error is the journal, lines with the
/// priority prefix of sd-daemon(3) where it is and takes no entries, else plain lines. Never waits: what cannot be
/// written at once is counted, and the next line that can be written says how many were lost.
///
/// It writes only so much: journald drops what is too much of one unit, and would drop crossings
/// with it (it counts by unit, and says so to nobody but itself). The urgent have a budget of their
/// own, so that no flood of the others hides them.
@MainActor
package final class Log {
    /// What is less urgent is left out.
    package var threshold: LogPriority
    /// Lines lost since the last that was written.
    package private(set) var lost = 0
    private let output: Output
    private let identifier: String
    /// Of warnings and what is more urgent, and of the rest.
    private var budgets = (urgent: Log.budget, rest: Log.budget)

    /// 500 lines at once, and 5 a second; journald takes 10 000 in 30 s, crossings included.
    private static let budget = RateBudget(burst: 500, interval: .milliseconds(200))

    private enum Output {
        case journal(JournalSender)
        case lines(Int32, prefixed: Bool)
    }

    /// `identifier` is SYSLOG_IDENTIFIER. Standard error is the journal when JOURNAL_STREAM names its
    /// device and inode, see systemd.exec(5).
    package init(
        identifier: String, threshold: LogPriority = .info, descriptor: Int32 = STDERR_FILENO,
        journalPath: String = "/run/systemd/journal/socket"
    ) {
        self.identifier = identifier
        self.threshold = threshold
        let isJournal = Self.isJournal(descriptor)
        if isJournal, let sender = try? JournalSender(path: journalPath) {
            output = .journal(sender)
        } else {
            // Nobody but the journal reads the prefix off again.
            output = .lines(descriptor, prefixed: isJournal)
        }
    }

    /// Writes one line. `messageID`, 32 hexadecimal digits, and `fields` (names as
    /// ``JournalEntry/isValid(name:)``) are seen in the journal only.
    package func write(
        _ priority: LogPriority, _ message: String, messageID: String? = nil,
        fields: [(String, String)] = []
    ) {
        guard priority <= threshold else { return }
        guard mayWrite(priority) else {
            lost += 1
            return
        }
        var done = false
        let missed = lost > 0 ? "\(lost) lines were lost before this; " : ""
        switch output {
        case .journal(let sender):
            var entry = JournalEntry(missed + message, priority, messageID: messageID)
            entry.append("SYSLOG_IDENTIFIER", identifier)
            for (name, value) in fields { entry.append(name, value) }
            done = sender.send(entry) == .sent
        case .lines(let descriptor, let prefixed):
            let prefix = prefixed ? "<\(priority.rawValue)>" : ""
            done = Self.writeLine(prefix + LogText.line(missed + message), to: descriptor)
        }
        lost = done ? 0 : lost + 1
    }

    private func mayWrite(_ priority: LogPriority) -> Bool {
        let now = EventLoop.uptime
        return priority <= .warning
            ? budgets.urgent.take(at: now) : budgets.rest.take(at: now)
    }

    /// poll(2) calls a pipe writable when it takes PIPE_BUF (4096) bytes, so that a shorter line does
    /// not block; ``LogText`` keeps it to less, and a line break out of it.
    private static func writeLine(_ line: String, to descriptor: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // With POLLERR nobody reads any more, and writing would raise SIGPIPE.
        guard unsafe poll(&ready, 1, 0) > 0, ready.revents == Int16(POLLOUT) else { return false }
        var bytes = Array(line.utf8)
        bytes.append(0x0A)
        return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }

    private static func isJournal(_ descriptor: Int32) -> Bool {
        guard let stream = environment("JOURNAL_STREAM") else { return false }
        let parts = stream.split(separator: ":")
        var information = stat()
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]),
            unsafe fstat(descriptor, &information) == 0
        else { return false }
        return information.st_dev == device && information.st_ino == inode
    }
}
