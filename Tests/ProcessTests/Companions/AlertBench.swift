import Foundation
import JSON
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

/// The real daemon with a low bridge 1 km down a straight road, and the real geofenced-alert with
/// programs that write down what they are to say.
@MainActor
final class AlertBench {
    let bus: PrivateBus
    private let directory = TemporaryDirectory()
    /// The PATH of the alert.
    private let programs = TemporaryDirectory()
    private var daemon: Subprocess?
    private(set) var alert: Subprocess?
    /// Where the alert finds its service manager.
    var notifySocket: String?
    /// Where the alert keeps what it is to know after its next start.
    var stateDirectory: String?
    private let began = time(nil) - 60
    private var clock = 0

    /// Metres of a degree of longitude at 48° N.
    private static let degree = 74_628.0

    static let fences = """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"osm-w1",
        "geometry":{"type":"MultiLineString","coordinates":[[[11,48],[11.0133998,48]]]},
        "properties":{"title":"Low bridge, Main Road","approach":"corridor",
        "limits":{"height_m":3.8,"sign":"3,8","basis":"signed"},
        "legs":[{"end_m":0.0,"chance":0.9,"next":null,"escape_m":300.0,"road":"Main Road",
        "escape":{"road":"Mill Lane","side":"left"}}],
        "section":[[[11.0133998,48],[11.0136008,48]]],"rivals":[]}}]}
        """

    /// - Parameters:
    ///   - configuration: of the daemon and of the alert.
    ///   - fences: a FeatureCollection.
    init(configuration: String = "", fences: String = fences) throws {
        bus = PrivateBus()
        for name in ["fences.d", "state", "run"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        directory.write(configuration, to: "geofenced.conf")
        directory.write(fences, to: "fences.d/roads.geojson")
        try #require(mkfifo(directory.file("receiver"), 0o600) == 0)
        programs.write("English en none\n", to: "voices")
        programs.write("0", to: "espeak-status")
        for program in ["pw-play", "paplay", "aplay", "spd-say", "espeak-ng"] { install(program) }
        try startDaemon()
    }

    func startDaemon() throws {
        daemon = nil
        let daemon = Subprocess(
            [
                builtProgram("geofenced"), "--config", directory.file("geofenced.conf"),
                "--state-dir", directory.file("state"), "--bus", bus.address,
                "--source", "nmea:\(directory.file("receiver"))",
            ],
            environment: ["RUNTIME_DIRECTORY": directory.file("run"), "NOTIFY_SOCKET": nil])
        self.daemon = daemon
        try #require(waitUntil(seconds: 20) { (try? tool("status"))?.status == 0 })
    }

    /// Kills it.
    func stopDaemon() { daemon = nil }

    /// Advisories that the daemon finds in its log when it starts again; ids, and seconds since 1970.
    func commit(_ hazards: [(id: String, time: Double)]) throws {
        daemon = nil
        let store = try Store(directory: directory.file("state"), bootID: nil)
        let events = hazards.map { hazard in
            let time = UTCTime(nanoseconds: Int64(hazard.time * 1e9))
            return Event(
                kind: .advisory, fence: hazard.id, time: time, fixTime: time, presence: nil,
                approach: ApproachDetails(kind: .height, limit: 3.8, vehicle: 4, toGo: 900))
        }
        _ = try store.commit(
            EventRecord(
                events: events, opened: [], closed: [], known: store.log.known, positionLost: false)
        )
        try startDaemon()
    }

    /// What the programs say of their voices: the list of spd-say, and how espeak-ng ends when it is
    /// asked for one.
    func speak(_ list: String, espeak: Int) {
        programs.write(list + "\n", to: "voices")
        programs.write("\(espeak)", to: "espeak-status")
    }

    /// A program that writes down the last of its arguments, and then does `rest`.
    func install(_ name: String, _ rest: String = "") {
        let path = programs.write(
            """
            #!/bin/sh
            case " $* " in
            *" --list-synthesis-voices "*) exec /bin/cat "\(programs.file("voices"))" ;;
            *" -x "*) exit "$(/bin/cat "\(programs.file("espeak-status"))")" ;;
            esac
            for last; do :; done
            echo "\(name) $last" >>\(programs.file("heard"))
            \(rest)
            """, to: name)
        chmod(path, 0o755)
    }

    func uninstall(_ name: String) { unlink(programs.file(name)) }

    /// What the programs were to play and say.
    var heard: [String] {
        let text = try? String(contentsOfFile: programs.file("heard"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// The lines that were said.
    var spoken: [String] {
        heard.filter { $0.hasPrefix("spd-say ") }.map { String($0.dropFirst(8)) }
    }

    /// Starts the alert; the one before is killed. Waits until the daemon knows it.
    func startAlert(_ arguments: String...) throws {
        try beginAlert(arguments)
        try #require(
            waitUntil(seconds: 20) { alert?.errorsSoFar.contains("waiting for alerts") == true },
            "\(alert?.errorsSoFar ?? "")")
    }

    /// The same without waiting.
    func beginAlert(_ arguments: [String]) throws {
        alert = nil
        let alert = Subprocess(
            [
                "env", "PATH=\(programs.path)", builtProgram("geofenced-alert"), "--bus",
                bus.address, "--config", directory.file("geofenced.conf"),
            ] + arguments,
            environment: [
                "NOTIFY_SOCKET": notifySocket, "STATE_DIRECTORY": stateDirectory,
                "XDG_RUNTIME_DIR": nil, "LC_ALL": "C", "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ])
        self.alert = alert
    }

    func stopAlert() { alert = nil }

    /// The file of that name beside the daemon's.
    func file(_ name: String) -> String { directory.file(name) }

    /// Runs the real tool.
    func tool(_ arguments: String...) throws -> Subprocess.Ending {
        let run = Subprocess([builtProgram("geofencectl"), "--bus", bus.address] + arguments)
        return try #require(run.wait())
    }

    /// At 20 m/s towards the bridge, a fix a second, sent at once; metres from where the road
    /// begins.
    func drive(from start: Double, to end: Double) throws {
        let descriptor = open(directory.file("receiver"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for east in stride(from: start, through: end, by: 20) {
            clock += 1
            var now = began + clock
            var utc = tm()
            gmtime_r(&now, &utc)
            let time = String(format: "%02d%02d%02d", utc.tm_hour, utc.tm_min, utc.tm_sec)
            let date = String(
                format: "%02d%02d%02d", utc.tm_mday, utc.tm_mon + 1, utc.tm_year % 100)
            let place =
                "4800.0000,N,011\(String(format: "%08.5f", 60 * east / Self.degree)),E"
            let text =
                sentence("GPRMC,\(time),A,\(place),38.9,90.0,\(date),,,A")
                + sentence("GPGGA,\(time),\(place),1,09,0.5,500.0,M,47.0,M,,")
            #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
        }
    }

    private func sentence(_ body: String) -> String {
        String(format: "$%@*%02X\r\n", body, body.utf8.reduce(UInt8(0), ^))
    }

    /// The number that the daemon knows as acknowledged; nil if it knows no consumer.
    func acknowledged() throws -> Int64? {
        try tool("consumer", "list", "--json").output.jsonLines.first?["acked"]?.integer
    }

    /// Kinds of the events in the log.
    func kinds() throws -> [String] {
        try tool("events", "--json").output.jsonLines.compactMap { $0["kind"]?.string }
    }

    /// For failed expectations.
    var said: String {
        "\(heard)\n\(alert?.outputSoFar ?? "")\(alert?.errorsSoFar ?? "")\(daemon?.errorsSoFar ?? "")"
    }
}
