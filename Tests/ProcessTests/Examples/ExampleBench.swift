import Foundation
import JSON
import SystemTestKit
import Testing

/// The real daemon on a bus that starts the consumers of docs/examples as shipped. It reads a
/// receiver through a fifo, and a drive past a bridge and a tunnel is four crossings.
@MainActor
final class ExampleBench {
    let bus: PrivateBus
    /// The programs that the bus can start, and the files that the programs of a test share.
    let services = TemporaryDirectory()
    private let directory = TemporaryDirectory()
    private var daemon: Subprocess?
    /// Seconds driven.
    private var clock = 0
    private let began = time(nil) - 60

    static let fences = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"bridge","geometry":{"type":"Point","coordinates":[11.00268,48]},
         "properties":{"radius":60,"title":"Low <bridge>","clearance":3.8}},
        {"type":"Feature","id":"tunnel","geometry":{"type":"Point","coordinates":[11.00603,48]},
         "properties":{"radius":60,"title":"Tunnel"}}]}
        """

    init() throws {
        bus = PrivateBus(services: services.path)
        for name in ["fences.d", "state", "run"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        directory.write("", to: "geofenced.conf")
        directory.write(Self.fences, to: "fences.d/road.geojson")
        try #require(mkfifo(directory.file("receiver"), 0o600) == 0)
        try startDaemon()
    }

    /// Starts it, the one before is killed, and waits until it answers.
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
        try #require(
            waitUntil(seconds: 20) { daemon.hasEnded || manager("ReadEvents", "tu", "0", "1") },
            "\(daemon.errorsSoFar)")
    }

    static func example(_ file: String) -> String { root + "docs/examples/" + file }

    static var root: String {
        let here = #filePath
        return here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex) + "../../../"
    }

    /// Takes over the D-Bus service file of an example. There is no systemd on this bus: it starts
    /// `command` itself.
    func install(_ file: String, command: String) throws {
        let text = try String(contentsOfFile: Self.example(file), encoding: .utf8)
        let exec =
            "Exec=/bin/sh -c 'DBUS_SYSTEM_BUS_ADDRESS=$DBUS_STARTER_ADDRESS exec env \(command)'"
        try #require(text.contains("Exec=/bin/false\n"))
        services.write(
            text.replacingOccurrences(of: "Exec=/bin/false", with: exec),
            to: String(file.split(separator: "/").last ?? ""))
    }

    /// A method of the daemon, through busctl; whether it succeeded.
    @discardableResult
    func manager(_ method: String, _ arguments: String...) -> Bool {
        let run = Subprocess(
            [
                "busctl", "--address=\(bus.address)", "call", "org.geofenced.Geofence1",
                "/org/geofenced/Geofence1", "org.geofenced.Geofence1.Manager", method,
            ] + arguments)
        return run.wait()?.status == 0
    }

    private func askBus(_ method: String, _ arguments: String...) -> String? {
        let run = Subprocess(
            [
                "busctl", "--address=\(bus.address)", "call", "org.freedesktop.DBus",
                "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
            ] + arguments)
        guard let ending = run.wait(), ending.status == 0 else { return nil }
        return ending.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Starts a consumer, as `systemctl start` does, and waits until it has registered.
    func start(_ name: String) throws {
        #expect(!manager("AckEvents", "st", name, "0"), "nobody has registered it")
        #expect(askBus("StartServiceByName", "su", name, "0") == "u 1")
        try #require(waitUntil { manager("AckEvents", "st", name, "0") }, "\(said)")
    }

    /// kill -9, and waits until its name is free.
    func kill(_ name: String) throws {
        let answer = try #require(askBus("GetConnectionUnixProcessID", "s", name))
        let pid = try #require(pid_t(answer.dropFirst(2)))
        #expect(Glibc.kill(pid, SIGKILL) == 0)
        try #require(waitUntil { askBus("NameHasOwner", "s", name) == "b false" })
    }

    /// Half a minute at 30 m/s, sent at once: eastwards past bridge and tunnel, the next time back.
    func drive() throws {
        let before = try events().count
        let descriptor = open(directory.file("receiver"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for second in clock..<(clock + 25) {
            var now = began + second
            var utc = tm()
            gmtime_r(&now, &utc)
            let time = String(format: "%02d%02d%02d", utc.tm_hour, utc.tm_min, utc.tm_sec)
            let date = String(
                format: "%02d%02d%02d", utc.tm_mday, utc.tm_mon + 1, utc.tm_year % 100)
            let isBack = second >= 25
            let east = 30 * Double(isBack ? 49 - second : second)
            let place = "4800.0000,N,011\(String(format: "%07.4f", 60 * east / 74_600)),E"
            let course = isBack ? "270.0" : "90.0"
            let text =
                sentence("GPRMC,\(time),A,\(place),58.3,\(course),\(date),,,A")
                + sentence("GPGGA,\(time),\(place),1,09,0.5,500.0,M,47.0,M,,")
            #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
        }
        clock += 25
        // The fifo keeps what is written while the daemon has it open.
        try #require(
            waitUntil { (try? events().count) == before + 4 }, "\(daemon?.errorsSoFar ?? "")")
    }

    private func sentence(_ body: String) -> String {
        String(format: "$%@*%02X\r\n", body, body.utf8.reduce(UInt8(0), ^))
    }

    /// The log of the daemon.
    func events() throws -> [JSONValue] {
        let run = Subprocess([
            builtProgram("geofencectl"), "--bus", bus.address, "events", "--json",
        ])
        return try #require(run.wait()).output.jsonLines
    }

    /// The output of the consumers: they have the standard output of the bus that started them.
    var printed: String { bus.daemon?.outputSoFar ?? "" }

    /// The same, and the error output of consumers and bus.
    var said: String { printed + (bus.daemon?.errorsSoFar ?? "") }

    /// Lines of a file that the programs of a test write.
    func lines(of file: String) -> [String] {
        let text = (try? String(contentsOfFile: services.file(file), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
