import FixSources
import Law
import Model
import Time
import VehicleBus

/// Frames of a vehicle's network, as a hostile node sends them, and lines of a recording.
///
/// Each frame is 14 bytes: milliseconds since the one before (2), flags and length (1), the
/// identifier (4, low byte first), data (7). Then the same bytes as lines.
enum CanFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        var decoder = VehicleDecoder()
        var wheels = Wheels()
        var now = Uptime(nanoseconds: 0)
        var shown: [String: Double] = [:]
        for start in stride(from: 0, to: bytes.count - 13, by: 14) {
            let part = bytes[start..<start + 14].map { UInt32($0) }
            now = now + .milliseconds(Int64(part[0] | part[1] << 8))
            let id = part[3] | part[4] << 8 | part[5] << 16 | part[6] << 24
            let isExtended = part[2] & 0x80 != 0
            let count = Int(part[2] & 0x7)
            // Most of them are ours.
            let known = VehicleDecoder.knownGroup(part[2] >> 3 & 0xF)
            let frame = CANFrame(
                id: isExtended ? known.map { 0x1800_0000 | $0 << 8 | id & 0x3 } ?? id : id & 0x7FF,
                isExtended: isExtended,
                bytes[start + 7..<start + 7 + count] + (count == 7 ? [id.low] : []))
            guard let frame else { continue }
            decoder.take(frame, at: now)
            _ = decoder.ignition(at: now)
            guard let motion = decoder.due(at: now) else { continue }
            if let flaw = VehicleMotion(motion).flaw { return "\(motion): \(flaw)" }
            _ = wheels.take(VehicleMotion(motion), at: now)
            if let reading = wheels.reading(at: now) {
                guard reading.speed >= 0, reading.way ?? 0 >= 0, (reading.way ?? 0).isFinite else {
                    return "\(reading)"
                }
                if let way = reading.way { shown[motion.odometerSource, default: 0] += way }
            }
            wheels.accepted()
        }
        guard shown.values.allSatisfy(\.isFinite) else { return "\(shown)" }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let read = try? CandumpLine(Array(line)) else { continue }
            guard read.time.nanoseconds >= 0, read.interface.utf8.count <= 45 else {
                return "\(read)"
            }
        }
        return nil
    }
}

extension VehicleDecoder {
    fileprivate static func knownGroup(_ number: UInt32) -> UInt32? {
        let groups = CANFrame.groups
        return Int(number) < groups.count ? groups[Int(number)] : nil
    }
}

extension UInt32 {
    fileprivate var low: UInt8 { UInt8(truncatingIfNeeded: self) }
}
