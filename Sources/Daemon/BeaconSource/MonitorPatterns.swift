import Model

/// What BlueZ looks for in advertisements: bytes at an offset in a structure of that type.
struct MonitorPattern: Hashable, Sendable {
    /// The offset in the data of the structure.
    var offset: UInt8
    /// The type of the structure: 0xFF manufacturer data, 0x16 service data with a 16-bit UUID.
    var type: UInt8
    var bytes: [UInt8]

    /// Any iBeacon: Apple, little-endian, then type and length.
    private static let iBeacon: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    /// Any AltBeacon, after any company identifier.
    private static let altBeacon: [UInt8] = [0xBE, 0xAC]
    /// Any Eddystone-UID. The namespace comes after the power, which is not known, so it is
    /// compared by the daemon.
    private static let eddystone = MonitorPattern(offset: 0, type: 0x16, bytes: [0xAA, 0xFE, 0x00])

    /// The limit of the kernel, HCI_MAX_ADV_MONITOR_NUM_PATTERNS.
    private static let mostInMonitor = 16
    /// With more UUIDs than this, monitors match any UUID. It leaves half of the kernel's 32
    /// monitors to other programs.
    private static let mostUUIDs = 64

    /// The patterns of each monitor; no monitors for an empty demand. In the order of the UUIDs, so
    /// that the same demand gives the same monitors.
    static func monitors(for wanted: Set<BeaconPattern>) -> [[MonitorPattern]] {
        var uuids: Set<BeaconUUID> = []
        var patterns: [MonitorPattern] = []
        for pattern in wanted {
            switch pattern.owner {
            case .uuid(let uuid): uuids.insert(uuid)
            default: patterns = [eddystone]
            }
        }
        if uuids.count > mostUUIDs {
            patterns.append(MonitorPattern(offset: 0, type: 0xFF, bytes: iBeacon))
            patterns.append(MonitorPattern(offset: 2, type: 0xFF, bytes: altBeacon))
        } else {
            let sorted = uuids.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
            for uuid in sorted {
                let bytes = bytes(uuid.high) + bytes(uuid.low)
                patterns.append(MonitorPattern(offset: 0, type: 0xFF, bytes: iBeacon + bytes))
                patterns.append(MonitorPattern(offset: 2, type: 0xFF, bytes: altBeacon + bytes))
            }
        }
        return stride(from: 0, to: patterns.count, by: mostInMonitor).map {
            Array(patterns[$0..<min($0 + mostInMonitor, patterns.count)])
        }
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
