import Foundation
import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct JournalTests {
    let directory = TemporaryDirectory()
    var path: String { directory.file("journal") }

    @Test("an entry arrives as one datagram of the native protocol, binary values included")
    func wire() throws {
        let journald = try UnixSocket(receivingAt: path)
        let sender = try JournalSender(path: path)
        var entry = JournalEntry(
            "entered", .notice, messageID: "0123456789abcdef0123456789abcdef")
        entry.append("GEOFENCE_TITLE", "two\nlines")
        entry.append("GEOFENCE_RAW", [0x00, 0xFF, 0x3D])
        entry.append("GEOFENCE_TITLE", "")
        #expect(sender.send(entry) == .sent)
        let (bytes, descriptors) = try #require(journald.receive())
        #expect(descriptors.isEmpty)
        var expected: [UInt8] = []
        expected += "MESSAGE=entered\n".utf8
        expected += "PRIORITY=5\n".utf8
        expected += "MESSAGE_ID=0123456789abcdef0123456789abcdef\n".utf8
        expected += "GEOFENCE_TITLE\n".utf8
        expected += [9, 0, 0, 0, 0, 0, 0, 0]  // 64 bits, little-endian
        expected += "two\nlines\n".utf8
        expected += "GEOFENCE_RAW=".utf8
        expected += [0x00, 0xFF, 0x3D, 0x0A]
        expected += "GEOFENCE_TITLE=\n".utf8
        #expect(bytes == expected)
        #expect(
            try parse(bytes).map(\.name) == [
                "MESSAGE", "PRIORITY", "MESSAGE_ID", "GEOFENCE_TITLE", "GEOFENCE_RAW",
                "GEOFENCE_TITLE",
            ])
    }

    @Test("every byte value is preserved", arguments: ["", "\n", "a\n", "=\n=", "MESSAGE=x\n\n"])
    func roundTrip(value: String) throws {
        var entry = JournalEntry("m", .info)
        entry.append("A", value)
        entry.append("B", Array(UInt8.min...UInt8.max))
        #expect(
            try parse(entry.serialized) == [
                Field(name: "MESSAGE", value: Array("m".utf8)),
                Field(name: "PRIORITY", value: Array("6".utf8)),
                Field(name: "A", value: Array(value.utf8)),
                Field(name: "B", value: Array(UInt8.min...UInt8.max)),
            ])
    }

    @Test("an entry too large for a datagram comes as a sealed file")
    func large() throws {
        let journald = try UnixSocket(receivingAt: path)
        let sender = try JournalSender(path: path)
        var entry = JournalEntry("large", .info)
        entry.append("BIG", [UInt8](repeating: 0x41, count: 5_000_000))
        #expect(sender.send(entry) == .sent)
        let (bytes, descriptors) = try #require(journald.receive())
        defer { descriptors.forEach { close($0) } }
        #expect(bytes.isEmpty)
        let file = try #require(descriptors.first)
        #expect(descriptors.count == 1)
        #expect(fcntl(file, 1034) == 1 | 2 | 4 | 8, "F_GET_SEALS: all four")
        var information = stat()
        fstat(file, &information)
        var contents = [UInt8](repeating: 0, count: Int(information.st_size))
        #expect(pread(file, &contents, contents.count, 0) == contents.count)
        #expect(contents == entry.serialized)
    }

    @Test("a journald that does not read is noticed at once, and gets the rest later")
    func full() throws {
        let journald = try UnixSocket(receivingAt: path)
        let sender = try JournalSender(path: path)
        let entry = JournalEntry("again and again", .info)
        var large = entry
        large.append("BIG", [UInt8](repeating: 0x41, count: 5_000_000))
        var sent = 0
        // A blocking call would wait for ever.
        while sender.send(entry) == .sent, sent < 100_000 { sent += 1 }
        #expect(sender.send(entry) == .wouldBlock)
        #expect(sender.send(large) == .wouldBlock)
        #expect((1..<100_000).contains(sent))
        for _ in 0..<sent { #expect(journald.receive() != nil) }
        #expect(journald.receive() == nil)
        #expect(sender.send(entry) == .sent)
    }

    @Test("a missing journald is reported, and one that comes back is found")
    func restart() throws {
        let sender = try JournalSender(path: path)
        let entry = JournalEntry("hello", .info)
        #expect(sender.send(entry) == .unavailable(ENOENT))
        let first = try UnixSocket(receivingAt: path)
        #expect(sender.send(entry) == .sent)
        first.close()
        #expect(sender.send(entry) == .unavailable(ECONNREFUSED))
        unlink(path)
        let second = try UnixSocket(receivingAt: path)
        #expect(sender.send(entry) == .sent)
        #expect(second.receive() != nil)
    }

    @Test("a path no socket can have is an error")
    func badPath() {
        for path in ["", String(repeating: "x", count: 108), "a\u{0}b"] {
            let error = #expect(throws: SystemError.self) { _ = try JournalSender(path: path) }
            #expect(error?.errno == EINVAL)
        }
    }

    @Test(
        "names of fields are those that journald accepts",
        arguments: [
            ("MESSAGE", true), ("A1_B", true), ("", false), ("_PID", false), ("1A", false),
            ("a", false), ("A=B", false), ("A\n", false), ("Ä", false),
            (String(repeating: "A", count: 64), true), (String(repeating: "A", count: 65), false),
        ])
    func names(name: String, valid: Bool) {
        #expect(JournalEntry.isValid(name: name) == valid)
    }

    @Test("the log writes to the journal when standard error is the journal")
    func logToJournal() throws {
        let journald = try UnixSocket(receivingAt: path)
        let file = open(directory.write("", to: "stderr"), O_RDWR)
        defer { close(file) }
        var information = stat()
        fstat(file, &information)
        setenv("JOURNAL_STREAM", "\(information.st_dev):\(information.st_ino)", 1)
        defer { unsetenv("JOURNAL_STREAM") }
        let log = Log(identifier: "geofenced", descriptor: file, journalPath: path)
        log.write(.debug, "below the threshold")
        log.write(
            .warning, "two\nlines", messageID: "0123456789abcdef0123456789abcdef",
            fields: [("GEOFENCE_ID", "bridge-7")])
        let fields = try parse(try #require(journald.receive()).bytes)
        #expect(
            fields.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" } == [
                "MESSAGE=two lines", "PRIORITY=4",
                "MESSAGE_ID=0123456789abcdef0123456789abcdef", "SYSLOG_IDENTIFIER=geofenced",
                "GEOFENCE_ID=bridge-7",
            ])
        #expect(journald.receive() == nil)
        #expect(information.st_size == 0)
        journald.close()
        log.write(.info, "lost")
        log.write(.info, "lost too")
        #expect(log.lost == 2)
        unlink(path)
        let again = try UnixSocket(receivingAt: path)
        log.write(.info, "here")
        #expect(
            again.receiveText()?.hasPrefix("MESSAGE=2 lines were lost before this; here\n") == true)
        #expect(log.lost == 0)
    }

    @Test("in a flood the log keeps the beginning, counts the rest, and hides nothing urgent")
    func floodOfLines() throws {
        let file = open(directory.write("", to: "flood"), O_RDWR | O_APPEND)
        defer { close(file) }
        let log = Log(identifier: "geofenced", descriptor: file)
        for number in 0..<20_000 { log.write(.info, "chatter \(number)") }
        #expect(log.lost > 19_000)
        let left = log.lost
        log.write(.error, "\u{1B}[31mserious\u{7}\nnot <3>another")
        #expect(log.lost == 0)
        let text = try String(contentsOfFile: directory.file("flood"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count < 1000)
        #expect(lines.last == "\(left) lines were lost before this; ?[31mserious? not <3>another")
    }

    @Test("of what begins and ends all the time the log says two at once, then the newest")
    func recurring() throws {
        let file = open(directory.write("", to: "recurring"), O_RDWR | O_APPEND)
        defer { close(file) }
        let loop = try EventLoop()
        let log = Log(identifier: "geofenced", descriptor: file)
        let lines = try RecurringLines(log, loop, pause: .milliseconds(500))
        func say(_ text: String, about subject: String) {
            lines.write(.init(.notice, text), about: subject)
        }
        func said() throws -> [Substring] {
            try String(contentsOfFile: directory.file("recurring"), encoding: .utf8)
                .split(separator: "\n")
        }
        say("off", about: "radio")
        say("off", about: "radio")
        say("on", about: "radio")
        say("off", about: "radio")
        say("blocked", about: "radio")
        say("full", about: "disk")
        say("empty", about: "disk")
        say("full", about: "disk")
        lines.withdraw("disk")
        for text in ["left", "right", "left", "right"] { say(text, about: "turn") }
        let atOnce: [Substring] = ["off", "on", "full", "empty", "left", "right"]
        #expect(try said() == atOnce)
        #expect(try loop.run { (try? said().count) != atOnce.count })
        #expect(try said() == atOnce + ["blocked"])
        #expect(try !loop.runOnce(timeout: .milliseconds(600)), "nothing else waits")
        #expect(try said().count == atOnce.count + 1)
    }

    @Test("a budget allows a burst, and then one per interval")
    func budget() {
        var budget = RateBudget(burst: 3, interval: TimeSpan(nanoseconds: 10))
        func take(at now: Int64) -> Bool { budget.take(at: Uptime(nanoseconds: now)) }
        #expect((0..<5).map { _ in take(at: 100) } == [true, true, true, false, false])
        #expect(budget.next == Uptime(nanoseconds: 110))
        #expect(!take(at: 109) && take(at: 110) && !take(at: 119))
        #expect((0..<5).map { _ in take(at: 1000) } == [true, true, true, false, false])
    }

    @Test(
        "text for the log is one line without control characters",
        arguments: [
            ("plain", "plain"), ("Zürich 東京 é", "Zürich 東京 é"), ("a\tb\r\nc", "a b  c"),
            ("\u{1B}[2J\u{9B}m\u{7F}", "?[2J?m?"), ("\u{202E}x\u{2028}y", "?x y"),
        ])
    func shown(text: String, line: String) {
        #expect(LogText.line(text) == line)
        #expect(LogText.line(String(repeating: text, count: 9000)).utf8.count <= 2051)
    }

    @Test(
        "elsewhere the log writes lines, and never waits for a reader; their priority is for the journal",
        arguments: [true, false])
    func logToPipe(isJournal: Bool) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        var information = stat()
        fstat(ends[1], &information)
        // A service whose output goes to a pipe inherits the variable all the same.
        let inode = information.st_ino + (isJournal ? 0 : 1)
        setenv("JOURNAL_STREAM", "\(information.st_dev):\(inode)", 1)
        defer { unsetenv("JOURNAL_STREAM") }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        // A path no socket can have: entries cannot be sent.
        let log = Log(identifier: "geofenced", descriptor: ends[1], journalPath: "")
        log.write(.error, "one\nline")
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, read(ends[0], &buffer, buffer.count))
        let prefix = isJournal ? "<3>" : ""
        #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == prefix + "one line\n")
        let long = (isJournal ? "" : "abc") + String(repeating: "ü", count: 10_000)
        for _ in 0..<1000 { log.write(.info, long) }
        #expect(log.lost > 900)
        #expect(read(ends[0], &buffer, buffer.count) == 4096)
        let line = buffer.prefix { $0 != 0x0A }
        #expect(line.count < 4096 && String(validating: line, as: UTF8.self) != nil)
        close(ends[0])
        log.write(.info, "nobody reads any more")
        #expect(log.lost > 900)
        close(ends[1])
    }
}

private struct Field: Equatable {
    let name: String
    let value: [UInt8]
}

/// The reader's side of the native protocol, written from its description.
private func parse(_ bytes: [UInt8]) throws -> [Field] {
    var fields: [Field] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let end = try #require(rest.firstIndex(of: 0x0A))
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        if let equals = line.firstIndex(of: 0x3D) {
            fields.append(
                Field(
                    name: String(decoding: line[..<equals], as: UTF8.self),
                    value: Array(line[(equals + 1)...])))
        } else {
            try #require(rest.count > 8)
            let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            try #require(rest.count > length)
            fields.append(
                Field(
                    name: String(decoding: line, as: UTF8.self), value: Array(rest.prefix(length))))
            #expect(rest.dropFirst(length).first == 0x0A)
            rest = rest.dropFirst(length + 1)
        }
    }
    return fields
}
