import Foundation
import JSON
import SystemTestKit
import Testing

/// A box with everything that geofenced needs: a receiver, gpsd, a bus and the daemon, and a fence
/// 2 km from the vehicle. What a test breaks of it, doctor is to find.
@MainActor
final class DoctorBench {
    let bench: DaemonBench
    let receiver: Receiver
    let gpsd: Gpsd
    /// The command in front of the tool: another user, a name space.
    var wrapper: [String] = []
    /// The bus that the tool is given.
    var address: String?
    /// What the receiver sends at a moment, seconds since 1970; it is asked for each epoch.
    var epoch: (Double) -> String = { DoctorBench.healthy(at: $0) }
    /// Whether the receiver sends while the tool looks.
    var sends = true
    /// Another receiver of gpsd, which sends the same.
    var second: Receiver?
    /// What a receiver without gpsd sends while the tool looks, four times a second: at a moment,
    /// with the number of the epoch. Nil: nothing.
    var lineEpoch: ((Double, Int) -> String)?
    private var others: [AnyObject] = []
    /// The fifo of a receiver without gpsd; -1 without one.
    private var line: Int32 = -1
    /// Of the next epoch, and when the last one was sent.
    private var lineNumber = 0
    private var lineTime = 0.0

    nonisolated static let place = (latitude: 48.0, longitude: 11.0)

    init() throws {
        bench = try DaemonBench()
        receiver = try Receiver()
        gpsd = try Gpsd(receiver: receiver)
        bench.source = gpsd.uri
        bench.directory.write("[Source]\nURI=\(gpsd.uri)\n", to: "geofenced.conf")
        addFence("depot", latitude: 48.02)
    }

    deinit { if line >= 0 { close(line) } }

    /// Further settings.
    func configure(_ text: String) {
        bench.directory.write(text, to: "geofenced.conf.d/10-box.conf")
    }

    /// A file of fences with this one, which replaces what a test has written under its name.
    func addFence(
        _ id: String, latitude: Double, longitude: Double = 11, radius: Double = 100,
        properties: String = ""
    ) {
        bench.writeFences(
            """
            {"type":"Feature","id":"\(id)","geometry":{"type":"Point",
            "coordinates":[\(longitude),\(latitude)]},
            "properties":{"radius":\(radius)\(properties)}}
            """, to: "\(id).geojson")
    }

    /// Lives as long as the box.
    func keep(_ other: AnyObject) { others.append(other) }

    /// Starts another gpsd in place of the usual one, without its receiver.
    func startGpsd(_ arguments: [String]) throws {
        let port = gpsd.port
        let process = Subprocess(["gpsd", "-N", "-n", "-S", "\(port)"] + arguments)
        keep(process)
        sends = false
        try #require(waitUntil { process.hasEnded || isListening(port) })
        try #require(!process.hasEnded, "\(process.errorsSoFar)")
    }

    /// Starts gpsd and the daemon, and lets it have a fix.
    func start() throws {
        try gpsd.start()
        try bench.startAndWait()
        try drive { bench.property("PositionState") == "\"known\"" }
    }

    /// Starts the daemon on a receiver of its own, which sends these epochs once, and waits until it
    /// has judged as many.
    func start(onLine epochs: [String], judged: UInt64) throws {
        let path = bench.directory.file("line")
        try #require(mkfifo(path, 0o600) == 0)
        line = open(path, O_RDWR | O_CLOEXEC)
        bench.source = "nmea:\(path)"
        try bench.startAndWait()
        for text in epochs { _ = write(line, text, text.utf8.count) }
        lineNumber = epochs.count
        let done = try waitUntil(seconds: 20) {
            let status = try bench.json("status").first
            let refused = status?["refused"]?.object?.compactMap(\.value.integer) ?? []
            return (status?["accepted"]?.integer ?? 0) + refused.reduce(0, +) >= Int64(judged)
        }
        try #require(done, "\(bench.errors)")
    }

    /// The receiver sends until the condition holds.
    func drive(until condition: () throws -> Bool) throws {
        let done = try waitUntil(seconds: 30) {
            let now = Date().timeIntervalSince1970
            if sends {
                try receiver.send([epoch(now)])
                try second?.send([epoch(now)])
            }
            if let lineEpoch, now - lineTime >= 0.25 {
                let text = lineEpoch(now, lineNumber)
                _ = write(line, text, text.utf8.count)
                lineNumber += 1
                lineTime = now
            }
            return try condition()
        }
        try #require(done, "\(bench.errors)\(gpsd.process?.errorsSoFar ?? "")")
    }

    /// Runs `geofencectl doctor` while the receiver sends.
    func doctor(_ arguments: String...) throws -> Subprocess.Ending {
        let directory = bench.directory
        let run = Subprocess(
            wrapper + [
                builtProgram("geofencectl"), "--bus", address ?? bench.bus?.address ?? "system",
                "doctor", "--config", bench.configuration, "--state-dir", bench.state,
                "--status-dir", directory.file("status"),
            ] + arguments)
        try drive { run.hasEnded }
        return try #require(run.ending)
    }

    /// What doctor has named.
    struct Diagnosis {
        /// The causes in their order, the worst of each step first.
        var causes: [(code: String, evidence: String)] = []
        /// All steps, for a test that fails.
        var text = ""

        /// The first one's; empty without any.
        var code: String { causes.first?.code ?? "" }
        var evidence: String { causes.first?.evidence ?? "" }
    }

    func diagnosis() throws -> Diagnosis {
        let ending = try doctor("--json")
        let findings = try ending.output.jsonLines
        let isBad = findings.contains { $0["verdict"]?.string == "bad" }
        #expect(ending.status == (isBad ? 1 : 0), "\(ending)")
        var diagnosis = Diagnosis()
        for step in findings {
            for finding in [step] + (step["also"]?.array ?? []) {
                let words = ["step", "verdict", "cause", "evidence"].map {
                    finding[$0]?.string ?? "–"
                }
                diagnosis.text += words.joined(separator: " ") + "\n"
                guard let code = finding["cause"]?.string else { continue }
                diagnosis.causes.append((code, finding["evidence"]?.string ?? ""))
            }
        }
        diagnosis.text += ending.errors + bench.errors
        return diagnosis
    }

    // MARK: What a receiver sends

    /// A parked receiver with four satellites.
    nonisolated static func healthy(
        at time: Double, latitude: Double = place.latitude, longitude: Double = place.longitude,
        hdop: Double = 1, hasFix: Bool = true, speed: Double = 0
    ) -> String {
        let hundredths = Int((time * 100).rounded(.down))
        var seconds = time_t(hundredths / 100)
        var utc = tm()
        gmtime_r(&seconds, &utc)
        let clock = String(
            format: "%02d%02d%02d.%02d", utc.tm_hour, utc.tm_min, utc.tm_sec, hundredths % 100)
        let date = String(
            format: "%02d%02d%02d", utc.tm_mday, utc.tm_mon + 1, (utc.tm_year + 1900) % 100)
        func minutes(_ degrees: Double) -> String {
            String(format: "%09.6f", (degrees - degrees.rounded(.down)) * 60)
        }
        let north = String(format: "%02d", Int(latitude)) + minutes(latitude) + ",N"
        let east = String(format: "%03d", Int(longitude)) + minutes(longitude) + ",E"
        let satellites = sentence(
            "GPGSV,1,1,04,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45")
        guard hasFix else {
            return sentence("GPRMC,\(clock),V,,,,,,,\(date),,,N")
                + sentence("GPGGA,\(clock),,,,,0,00,99.9,,,,,,")
                + sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9") + satellites
        }
        let place = "\(north),\(east)"
        let knots = String(format: "%.1f", speed / 0.514444)
        let text = String(format: "%.1f", hdop)
        return sentence("GPRMC,\(clock),A,\(place),\(knots),0.0,\(date),,,A")
            + sentence("GPGGA,\(clock),\(place),1,04,\(text),300.0,M,0.0,M,,")
            + sentence("GPGSA,A,3,01,02,12,14,,,,,,,,,\(text),\(text),\(text)") + satellites
    }

    nonisolated private static func sentence(_ body: String) -> String {
        "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
    }
}
