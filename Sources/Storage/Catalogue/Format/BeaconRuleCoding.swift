import Bytes
import Model

/// The rule of a beacon fence, as bytes. Version 1, little-endian:
///
///     UInt8 version, the pattern as the engine writes it,
///     UInt8 sightings, UInt8 flags: 1 companion; optional Int32 dBm; optional text of the group
enum BeaconRuleCoding {
    private static let version: UInt8 = 1

    static func encode(_ rule: BeaconRule) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.write(version)
            writer.write(rule.pattern)
            writer.write(UInt8(clamping: rule.sightings))
            writer.write(rule.isCompanion)
            writer.write(rule.leastRSSI) { $0.write(Int32($1)) }
            writer.write(rule.group) { $0.write($1) }
        }
    }

    /// Reads the output of ``encode(_:)``, validated by the same rules as on input.
    static func decode(_ bytes: ByteView) throws(DamagedRecord) -> BeaconRule {
        do {
            var reader = ByteReader(bytes)
            guard try reader.byte() == version else { throw DamagedRecord() }
            var rule = BeaconRule(try reader.readPattern())
            rule.sightings = Int(try reader.byte())
            rule.isCompanion = try reader.readBool()
            rule.leastRSSI = try reader.readOptional { Int(try $0.read(Int32.self)) }
            rule.group = try reader.readOptional { try $0.readString() }
            guard reader.isAtEnd, rule.flaw == nil else { throw DamagedRecord() }
            return rule
        } catch { throw DamagedRecord() }
    }
}
