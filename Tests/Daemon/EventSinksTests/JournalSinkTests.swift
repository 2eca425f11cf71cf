import EventSinks
import Formats
import Geodesy
import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct JournalSinkTests {
    let directory = TemporaryDirectory()
    var path: String { directory.file("journal") }

    private var exit: LoggedEvent {
        LoggedEvent(
            seq: 42,
            event: Event(
                kind: .exit, fence: "bridge-7", title: "Low bridge A3",
                time: UTCTime(nanoseconds: 1_795_158_843_420_999_999),
                fixTime: UTCTime(nanoseconds: 1_795_158_850_000_000_000),
                presence: .outside, inferred: true, reason: .certain, distance: 12.44,
                error: 5, speed: 22, course: 87,
                coordinate: Coordinate(latitude: 48.13715, longitude: -11.576124),
                stay: .seconds(3725.5)),
            bootID: "0123456789abcdef0123456789abcdef")
    }

    @Test("an entry has exactly the promised fields, and no coordinates")
    func fields() throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(try JournalSender(path: path), withLocation: false)
        #expect(sink.announce(exit))
        #expect(
            journald.receive() == [
                "MESSAGE=Left \"Low bridge A3\" (bridge-7) after 1h 2min 5s", "PRIORITY=5",
                "MESSAGE_ID=af640d76c11d4ccd8d25ba57e6bf7d4d", "SYSLOG_IDENTIFIER=geofenced",
                "GEOFENCE_SEQ=42", "GEOFENCE_EVENT=exit", "GEOFENCE_ID=bridge-7",
                "GEOFENCE_TITLE=Low bridge A3", "GEOFENCE_TIME=2026-11-20T07:14:03.420Z",
                "GEOFENCE_FIX_TIME=2026-11-20T07:14:10.000Z", "GEOFENCE_INFERRED=1",
                "GEOFENCE_REASON=certain", "GEOFENCE_DISTANCE_M=12.4", "GEOFENCE_ERROR_M=5.0",
                "GEOFENCE_STAY_SEC=3725.500",
            ])
    }

    @Test("coordinates are included only if configured")
    func location() throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(try JournalSender(path: path), withLocation: true)
        #expect(sink.announce(exit))
        let fields = journald.receive() ?? []
        #expect(
            fields.suffix(2) == ["GEOFENCE_LATITUDE=48.1371500", "GEOFENCE_LONGITUDE=-11.5761240"])
    }

    @Test("who drove is included only if configured", arguments: [false, true])
    func driver(isConfigured: Bool) throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(
            try JournalSender(path: path), withLocation: true, withDriver: isConfigured)
        var event = exit
        event.driver = "jane"
        #expect(sink.announce(event))
        let fields = journald.receive() ?? []
        #expect(fields.contains("GEOFENCE_DRIVER=jane") == isConfigured)
        #expect(fields.contains { $0.contains("jane") } == isConfigured)
    }

    @Test("position-lost has no fence", arguments: [EventKind.positionLost, .positionRegained])
    func lost(kind: EventKind) throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(try JournalSender(path: path), withLocation: true)
        let event = Event(
            kind: kind, fence: nil, time: UTCTime(nanoseconds: -1_500_000_000),
            fixTime: UTCTime(nanoseconds: 0), presence: nil)
        #expect(sink.announce(LoggedEvent(seq: 1, event: event, bootID: nil)))
        #expect(
            journald.receive() == [
                kind == .positionLost ? "MESSAGE=Position lost" : "MESSAGE=Position regained",
                "PRIORITY=5", "MESSAGE_ID=\(kind.messageID ?? "none")",
                "SYSLOG_IDENTIFIER=geofenced", "GEOFENCE_SEQ=1", "GEOFENCE_EVENT=\(kind.name)",
                "GEOFENCE_TIME=1969-12-31T23:59:58.500Z",
                "GEOFENCE_FIX_TIME=1970-01-01T00:00:00.000Z", "GEOFENCE_INFERRED=0",
            ])
    }

    @Test(
        "what a person reads",
        arguments: [
            (EventKind.enter, "Low bridge", "MESSAGE=Entered \"Low bridge\" (7)"),
            (.enter, "", "MESSAGE=Entered \"7\""),
            (.exit, "A", "MESSAGE=Left \"A\" (7)"),
            (.dwell, "A", "MESSAGE=Stayed in \"A\" (7)"),
            (.initial, "A", "MESSAGE=Found inside \"A\" (7)"),
        ])
    func message(kind: EventKind, title: String, expected: String) throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(try JournalSender(path: path), withLocation: false)
        let zero = UTCTime(nanoseconds: 0)
        let event = Event(
            kind: kind, fence: "7", title: title, time: zero, fixTime: zero, presence: .inside)
        #expect(sink.announce(LoggedEvent(seq: 1, event: event, bootID: nil)))
        #expect(journald.receive()?.first == expected)
    }

    @Test("a journald that does not read is sent the event again, and we never block")
    func stopped() throws {
        let journald = try JournalSocket(path)
        let sink = JournalSink(try JournalSender(path: path), withLocation: false)
        var sent = 0
        while sent < 100_000, sink.announce(exit) { sent += 1 }
        #expect(sent > 0 && sent < 100_000)
        #expect(!sink.announce(exit))
        #expect(journald.receive() != nil)
        #expect(sink.announce(exit))
    }

    @Test("events wait for a journald that restarts; without a journald they do not")
    func away() throws {
        let sink = JournalSink(try JournalSender(path: path), withLocation: false)
        #expect(sink.announce(exit), "no socket: no journal on this system")
        var journald: JournalSocket? = try JournalSocket(path)
        #expect(sink.announce(exit))
        withExtendedLifetime(journald) {}
        journald = nil
        #expect(!sink.announce(exit), "its socket is in place and nobody listens")
        unlink(path)
        let next = try JournalSocket(path)
        #expect(sink.announce(exit))
        #expect(next.receive() != nil)
    }
}
