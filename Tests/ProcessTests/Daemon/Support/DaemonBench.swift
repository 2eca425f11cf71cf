import Foundation
import JSON
import SystemTestKit
import Testing

extension BusMonitor {
    /// Of the events that were signalled, in that order.
    var numbers: [Int64] {
        lines.compactMap {
            (try? JSONValue(parsing: String($0)))?["payload"]?["data"]?[0]?.integer
        }
    }
}

/// The real daemon with its own configuration, fences, state and runtime directory.
@MainActor
final class DaemonBench {
    let directory = TemporaryDirectory()
    let bus: PrivateBus?
    /// The daemon started last.
    private(set) var daemon: Subprocess?
    /// The command in front of the program: another user, a name space, a tracer.
    var wrapper: [String] = []
    var environment: [String: String?] = [:]
    var source = "gpsd://127.0.0.1:1"

    /// The rule of D-Bus for the signals of announced events.
    static let transitions =
        "type='signal',interface='org.geofenced.Geofence1.Manager',member='Transition'"

    init(withBus: Bool = true) throws {
        bus = withBus ? PrivateBus() : nil
        for name in ["fences.d", "geofenced.conf.d", "state", "run"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        directory.write("", to: "geofenced.conf")
    }

    var configuration: String { directory.file("geofenced.conf") }
    var state: String { directory.file("state") }

    /// Installs the fences of a recorded drive as the administrator's.
    func installFences(of trace: Trace) throws {
        try FileManager.default.copyItem(
            atPath: trace.fences, toPath: directory.file("fences.d/drive.geojson"))
    }

    /// The command line, in which `options` replace the usual ones.
    func start(_ options: [String] = [], address: String? = nil) {
        var arguments = ["--config", configuration, "--state-dir", state, "--source", source]
        arguments += ["--bus", address ?? bus?.address ?? "none"] + options
        var variables = environment
        for (name, value) in ["RUNTIME_DIRECTORY": directory.file("run"), "NOTIFY_SOCKET": nil]
        where variables[name] == nil {
            variables.updateValue(value, forKey: name)
        }
        daemon = Subprocess(
            wrapper + [builtProgram("geofenced")] + arguments, environment: variables)
    }

    /// Starts it and waits until it is monitoring, and on the bus.
    func startAndWait(_ options: [String] = []) throws {
        start(options)
        try #require(waitUntil(seconds: 120) { hasEnded || isUp }, "\(errors)")
        try #require(!hasEnded, "\(errors)")
    }

    /// Whether it answers on the bus or, without a bus, has reported that it is monitoring.
    private var isUp: Bool {
        guard !said("watching ").isEmpty else { return false }
        return bus == nil || property("Version") != nil
    }

    func kill() {
        daemon?.signal(SIGKILL)
        _ = daemon?.wait()
    }

    /// Sends SIGTERM; returns how it ended.
    func stop() throws -> Subprocess.Ending {
        daemon?.signal(SIGTERM)
        return try #require(daemon?.wait(seconds: 10), "does not stop: \(errors)")
    }

    var hasEnded: Bool { daemon?.hasEnded ?? true }
    var errors: String { daemon?.errorsSoFar ?? "" }
    var output: String { daemon?.outputSoFar ?? "" }

    /// Lines of its log that hold `text`.
    func said(_ text: String) -> [String] {
        errors.split(separator: "\n").filter { $0.contains(text) }.map(String.init)
    }

    /// Runs the tool against it.
    func tool(_ arguments: String..., input: String = "") throws -> Subprocess.Ending {
        let address = try #require(bus?.address)
        let run = Subprocess(
            [builtProgram("geofencectl"), "--bus", address] + arguments, input: input)
        return try #require(run.wait(seconds: 120))
    }

    /// The same with `--json`, which must succeed.
    func json(_ arguments: String...) throws -> [JSONValue] {
        let address = try #require(bus?.address)
        let run = Subprocess(
            [builtProgram("geofencectl"), "--bus", address] + arguments + ["--json"])
        let ending = try #require(run.wait())
        try #require(ending.status == 0, "\(arguments): \(ending.errors)")
        return try ending.output.jsonLines
    }

    /// The log as a client reads it.
    func events() throws -> [LoggedLine] { try json("events").map(LoggedLine.init) }

    /// A property, as `busctl` prints its value; nil while the daemon does not answer.
    func property(_ name: String) -> String? {
        let call = bus?.busctl(
            "get-property", "org.geofenced.Geofence1", "/org/geofenced/Geofence1",
            "org.geofenced.Geofence1.Manager", name)
        guard let ending = call?.wait(), ending.status == 0 else { return nil }
        return ending.output.split(separator: " ", maxSplits: 1).last?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until the daemon has judged the fix of that receiver time, µs.
    func waits(forFixAt time: Int64) -> Bool {
        waitUntil(seconds: 20) {
            (property("LastFixTimestamp").flatMap { Int64($0) } ?? 0) >= time
        }
    }

    /// Writes a file of the administrator's fences.
    func writeFences(_ text: String, to name: String) {
        directory.write(text, to: "fences.d/\(name)")
    }

    /// Waits until this many fences are monitored.
    func waits(forFences count: Int) -> Bool {
        waitUntil(seconds: 60) { property("FenceCount") == String(count) }
    }
}

/// The fields of an event that must be equal, whichever way it was received.
struct LoggedLine: Equatable, CustomStringConvertible {
    let seq: Int64?
    let kind: String
    let fence: String?
    let time: String
    let fixTime: String
    let reason: String?
    let inferred: Bool?
    /// False for a kind that the fence has turned off: it is in the log only.
    let isAnnounced: Bool
    /// Tenths of a metre and milliseconds, for comparison with times that the bus has in µs.
    let distance: Int?
    let stay: Int?

    init(_ json: JSONValue) throws {
        seq = json["seq"]?.integer
        kind = try #require(json["kind"]?.string)
        fence = json["fence"]?.string
        time = json["time"]?.string ?? ""
        fixTime = json["fix_time"]?.string ?? ""
        reason = json["reason"]?.string
        inferred = json["inferred"]?.bool
        isAnnounced = json["announced"]?.bool ?? true
        distance = json["distance_m"]?.double.map { Int(($0 * 10).rounded()) }
        stay = json["stay_s"]?.double.map { Int(($0 * 1000).rounded()) }
    }

    /// The part that a driver would notice.
    var crossing: String { "\(kind) \(fence ?? "")" }
    var description: String { "\(seq ?? 0) \(crossing) \(time) \(reason ?? "")" }
}
