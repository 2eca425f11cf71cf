import EventSinks
import Glibc
import Model
import Testing
import Time

@MainActor
@Suite struct ConsoleSinkTests {
    private let event = LoggedEvent(
        seq: 7,
        event: Event(
            kind: .exit, fence: "bridge-7", title: "Low bridge",
            time: UTCTime(nanoseconds: 1_500_000), fixTime: UTCTime(nanoseconds: 0),
            presence: .outside, reason: .certain, distance: 12.5, error: 5, stay: .seconds(61)),
        bootID: nil)

    @Test("a pipe that nobody reads is not waited for, and takes every line once it is read")
    func slow() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let sink = ConsoleSink(ends[1])
        var lines = 0
        // A pipe holds 64 KiB.
        while lines < 10_000, sink.announce(event) { lines += 1 }
        #expect(lines > 100 && lines < 10_000)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(ends[0], &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        let line =
            "1970-01-01T00:00:00.001Z  exit      Low bridge (bridge-7)  [certain]  "
            + "12.5 m ± 5.0 m  after 61.0 s\n"
        #expect(text == String(repeating: line, count: lines))
        #expect(sink.announce(event))
    }

    @Test("a title moves no cursor and hides nothing")
    func escapes() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        var event = event
        event.event.title = "a\u{1B}[2J\u{9B}1m\u{202E}b\nc"
        #expect(ConsoleSink(ends[1]).announce(event))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        #expect(text.contains("a?[2J?1m?b c (bridge-7)") && text.filter { $0 == "\n" }.count == 1)
    }

    @Test("without a reader the events do not wait")
    func closed() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        #expect(ConsoleSink(ends[1]).announce(event))
        close(ends[1])
        #expect(ConsoleSink(ends[1]).announce(event))
    }
}
