import EngineTestKit
import Law
import Model
import Time

/// Sightings, silence, failures of the radio, presence by hand, edits and kills, coded in three
/// bytes for each step.
enum BeaconLawFuzz {
    /// The greatest number of steps.
    private static let most = 64

    static func flaw(_ bytes: [UInt8]) -> String? {
        var regions = self.regions(0)
        var drive = BeaconDrive(regions, hasListened: false)
        for step in 0..<min(bytes.count / 3, most) {
            let (what, which, size) = (bytes[3 * step], bytes[3 * step + 1], bytes[3 * step + 2])
            let id = "r\(which % 4)"
            switch what % 8 {
            case 0, 1: drive.hear(UInt16(which % 4), rssi: Int(Int8(bitPattern: size)))
            case 2, 3:
                drive.pass(
                    Double(size) / 2, speed: Double(which % 32),
                    hearing: what > 127 ? (1, [UInt16(which % 4)]) : nil)
            case 4: drive.radio(RadioState.allCases[Int(which) % RadioState.allCases.count])
            case 5:
                let said = Presence(rawValue: UInt32(size % 3)) ?? .unknown
                drive.give(.presence(ManualPresence(said, for: .seconds(Double(size))), of: id))
            case 6:
                regions = self.regions(which)
                drive.give(.beacons(regions))
            default:
                drive.kill(for: Double(size), regions: regions)
            }
            drive.hasPosition = what & 64 == 0
            if let checkpoint = drive.tracker.engine.checkpointBytes,
                EngineCheckpoint(bytes: checkpoint) == nil
            {
                return "a checkpoint that cannot be read"
            }
        }
        return EventLaws.alternationFlaw(drive.events)
    }

    /// Up to four regions, one for each bit.
    private static func regions(_ bits: UInt8) -> [BeaconRegion] {
        (0..<4 as Range<UInt16>).compactMap { minor in
            guard bits >> UInt8(minor) & 1 == 0 else { return nil }
            let moved = bits & 0x10 == 0 ? minor : (minor + 1) % 4
            var region = BeaconDrive.region("r\(minor)", minor: moved)
            region.rule.isCompanion = minor > 1
            region.rule.group = minor > 1 && bits & 0x20 != 0 ? "g" : nil
            region.rule.leastRSSI = minor == 1 ? -80 : nil
            region.rule.sightings = minor == 0 ? 1 : 2
            region.dwell = .seconds(minor == 0 ? 20 : 0)
            return region
        }
    }
}
