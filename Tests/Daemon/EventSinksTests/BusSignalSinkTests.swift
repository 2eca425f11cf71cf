import EventSinks
import Geodesy
import Geofence1
import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct BusSignalSinkTests {
    let loop: EventLoop
    let bus = PrivateBus()
    let sink = BusSignalSink(backlog: 100)

    init() throws { loop = try EventLoop() }

    private func enter(_ seq: UInt64, metadata: String = "{}") -> LoggedEvent {
        LoggedEvent(
            seq: seq,
            event: Event(
                kind: .enter, fence: "7", title: "T\u{0}T",
                time: UTCTime(nanoseconds: 1_500_000),
                fixTime: UTCTime(nanoseconds: -5), presence: .inside, reason: .path,
                distance: -12.5, error: 5, speed: 22, course: 87,
                coordinate: Coordinate(latitude: 48, longitude: 11), metadata: metadata),
            bootID: nil)
    }

    @Test("busctl monitor sees the signal, and nothing that shows the position")
    func signal() throws {
        let monitor = try #require(
            BusMonitor(bus, "interface=\(Geofence1.managerInterface)"))
        sink.connection = try bus.connect(loop)
        var announced: [UInt64] = []
        sink.onAnnounced = { announced.append($0.seq) }
        #expect(sink.announce(enter(42, metadata: #"{"a":[1,null,{"b":true}],"c":null}"#)))
        #expect(try loop.run { !monitor.lines.isEmpty })
        let output = try #require(monitor.lines.first)
        for part in [
            #""member":"Transition""#, #""path":"/org/geofenced/Geofence1""#,
            #""type":"tsua{sv}""#, #""data":[42,"7",1,{"#, #""time":{"type":"t","data":1500}"#,
            #""fix_time":{"type":"t","data":0}"#, #""title":{"type":"s","data":"T\#u{FFFD}T"}"#,
            #""reason":{"type":"s","data":"path"}"#, #""distance_m":{"type":"d","data":-1.25"#,
            #""presence":{"type":"u","data":2}"#,
            #""metadata":{"type":"a{sv}","data":{"a":{"type":"av","data":[{"type":"x","data":1}"#,
        ] {
            #expect(output.contains(part), "\(part) not in \(output)")
        }
        for part in ["latitude", "longitude", "speed", "course"] {
            #expect(!output.contains(part))
        }
        #expect(announced == [42])
    }

    @Test("without a bus, and after it is lost, the event is requested again later")
    func away() throws {
        #expect(!sink.announce(enter(1)))
        let connection = try bus.connect(loop)
        sink.connection = connection
        #expect(sink.announce(enter(1)))
        bus.kill()
        #expect(try loop.run { !connection.isOpen })
        #expect(!sink.announce(enter(2)))
    }

    @Test("a bus that does not read is sent a bounded amount")
    func stopped() throws {
        sink.connection = try bus.connect(loop)
        bus.daemon?.signal(SIGSTOP)
        var sent = 0
        while sent < 1_000_000, sink.announce(enter(UInt64(sent))) { sent += 1 }
        #expect(sent < 200_000, "what the socket takes, and the backlog")
        bus.daemon?.signal(SIGCONT)
        #expect(try loop.run { sink.connection?.queuedMessages == 0 })
        #expect(sink.announce(enter(UInt64(sent))))
    }

    @Test("metadata nested deeper than D-Bus allows do not block an event")
    func deep() throws {
        sink.connection = try bus.connect(loop)
        let depth = 60
        let metadata =
            #"{"a":"# + String(repeating: "[", count: depth)
            + String(repeating: "]", count: depth) + "}"
        #expect(sink.announce(enter(1, metadata: metadata)))
        #expect(try loop.run { sink.connection?.queuedMessages == 0 })
        #expect(sink.connection?.isOpen == true)
        #expect(sink.announce(enter(2, metadata: "no JSON")))
    }
}
