import Geodesy
import JSON
import Time

/// Reads what a gpsd says, as far as the steps need it.
struct GpsdReading {
    private(set) var evidence: GpsdEvidence
    private var rest: [UInt8] = []
    private var knowsDevices = false
    private var fixes = 0
    /// Since a measurement has begun.
    private(set) var parked: ParkedFixes?
    /// Of the last report by its receiver: gpsd repeats epochs.
    private var lastTime = ""

    /// gpsd's longest line is 10,240 bytes (GPS_JSON_RESPONSE_MAX).
    private static let longest = 1 << 16

    init(_ evidence: GpsdEvidence) { self.evidence = evidence }

    /// Nothing that comes later would change a verdict.
    var isEnough: Bool {
        if evidence.complaint != nil { return true }
        guard knowsDevices else { return false }
        guard !evidence.devices.isEmpty else { return true }
        guard let report = evidence.report, report.mode >= 2 else { return false }
        // Several receivers may not all be open yet.
        guard evidence.devices.count < 2 || evidence.wanted != nil else { return false }
        return evidence.satellites != nil || fixes > 2
    }

    /// From now on fixes are collected, of one receiver.
    /// - Parameter receiver: which that is; empty for the first that has a fix.
    mutating func measure(_ receiver: String) {
        parked = ParkedFixes(of: receiver)
    }

    /// - Parameter time: seconds since 1970 by the wall clock.
    mutating func hear(_ bytes: some Sequence<UInt8>, at time: Double) {
        for byte in bytes {
            evidence.hasSpoken = true
            if byte == UInt8(ascii: "\n") {
                if let object = try? JSONValue(parsing: rest) { read(object, time) }
                rest.removeAll(keepingCapacity: true)
            } else if rest.count < Self.longest {
                rest.append(byte)
            }
        }
    }

    private mutating func read(_ object: JSONValue, _ time: Double) {
        if let wanted = evidence.wanted, let device = object["device"]?.string, device != wanted {
            return
        }
        switch object["class"]?.string {
        case "VERSION": evidence.release = object["release"]?.string ?? "of unknown version"
        case "ERROR": evidence.complaint = object["message"]?.string ?? "an error"
        case "DEVICES":
            knowsDevices = true
            evidence.devices = (object["devices"]?.array ?? []).compactMap(Self.device)
        case "DEVICE":
            guard let device = Self.device(object) else { return }
            evidence.devices.removeAll { $0.path == device.path }
            evidence.devices.append(device)
        case "SKY":
            let list = object["satellites"]?.array
            let used = list?.count { $0["used"]?.bool == true }
            guard let seen = list?.count ?? object["nSat"]?.integer.map(Int.init(clamping:))
            else { return }
            let told = object["uSat"]?.integer.map(Int.init(clamping:))
            evidence.satellites = (seen, used ?? told ?? 0)
        case "TPV": read(report: object, time)
        default: break
        }
    }

    private mutating func read(report object: JSONValue, _ time: Double) {
        var report = GpsdEvidence.Report()
        report.mode = object["mode"]?.integer.map(Int.init(clamping:)) ?? 0
        // Of several receivers the one with a fix counts.
        guard report.mode >= 2 || (evidence.report?.mode ?? 0) < 2 else { return }
        if report.mode >= 2 { fixes += 1 }
        let stamp = object["time"]?.string.flatMap { UTCTime(iso8601: $0) }
        report.time = stamp.map { Double($0.nanoseconds) / 1e9 }
        report.arrival = time
        let axes = [object["epx"]?.double, object["epy"]?.double].compactMap(\.self)
        let root = axes.count == 2 ? (axes[0] * axes[0] + axes[1] * axes[1]).squareRoot() : nil
        report.error = [object["eph"]?.double, root].compactMap(\.self).first { $0 > 0 }
        report.device = object["device"]?.string ?? ""
        evidence.report = report
        if report.mode >= 2 { measure(report, object) }
    }

    private mutating func measure(_ report: GpsdEvidence.Report, _ object: JSONValue) {
        guard parked != nil, let latitude = object["lat"]?.double,
            let longitude = object["lon"]?.double, abs(latitude) <= 90, abs(longitude) <= 180
        else { return }
        let time = "\(report.device) \(object["time"]?.string ?? "")"
        guard report.time == nil || time != lastTime else { return }
        lastTime = time
        parked?.add(
            Coordinate(latitude: latitude, longitude: longitude), error: report.error,
            speed: object["speed"]?.double, of: report.device)
    }

    private static func device(_ object: JSONValue) -> GpsdEvidence.Device? {
        guard let path = object["path"]?.string else { return nil }
        // A time, or 0 for one that was removed or could not be opened.
        let isActive = object["activated"].map { $0.double != 0 } ?? false
        return .init(path: path, isActive: isActive, driver: object["driver"]?.string ?? "")
    }
}
