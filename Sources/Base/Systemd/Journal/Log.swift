import Glibc
import Time

// Unsafe: system calls take a path or an array of ours, with its own count.

/// The log of a program: entries with fields if standard error is the journal, lines with the
/// priority prefix of sd-daemon(3) if it is the journal but accepts no entries, otherwise plain
/// lines. Never blocks: lines that cannot be written at once are counted, and the next line reports
/// how many were lost.
///
/// Its rate is limited: journald drops what exceeds the limit of a unit, and would drop crossings
/// with it (it counts by unit, and reports it only in its own log). Urgent lines have their own
/// budget, so that no flood of others hides them.
@MainActor
package final class Log {
    /// Less urgent lines are omitted.
    package var threshold: LogPriority
    /// Lines lost since the last one written.
    package private(set) var lost = 0
    private let output: Output
    /// SYSLOG_IDENTIFIER, the name of the program.
    package let identifier: String
    /// One for warnings and above, one for the rest.
    private var budgets = (urgent: Log.budget, rest: Log.budget)

    /// 500 lines at once, and 5 per second; journald accepts 10 000 in 30 s, crossings included.
    private static let budget = RateBudget(burst: 500, interval: .milliseconds(200))

    private enum Output {
        case journal(JournalSender)
        case lines(Int32, prefixed: Bool)
    }

    /// `identifier` is SYSLOG_IDENTIFIER. Standard error is the journal if JOURNAL_STREAM names its
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
            // Only the journal removes the prefix.
            output = .lines(descriptor, prefixed: isJournal)
        }
    }

    /// Writes one line. `messageID`, 32 hexadecimal digits, and `fields` (names as in
    /// ``JournalEntry/isValid(name:)``) appear only in the journal.
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

    /// poll(2) reports a pipe as writable when it accepts PIPE_BUF (4096) bytes, so that a shorter
    /// line does not block; ``LogText`` keeps lines shorter, and free of line breaks.
    private static func writeLine(_ line: String, to descriptor: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // With POLLERR there is no reader any more, and writing would raise SIGPIPE.
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
