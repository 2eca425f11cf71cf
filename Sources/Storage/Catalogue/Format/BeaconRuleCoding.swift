import Bytes
import Engine

/// The rule of a beacon fence, as bytes. Version 1, little-endian:
///
///     UInt8 version, UInt8 kind, then
///     kind 0, 1, 2: UInt64 high, low of the UUID; 1, 2: UInt16 major; 2: UInt16 minor
///     kind 3, 4:    UInt16 high, UInt64 low of the namespace; 4: UInt64 instance
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

extension ByteWriter {
    fileprivate mutating func write(_ pattern: BeaconPattern) {
        switch pattern {
        case .uuid(let uuid):
            write(0, uuid)
        case .major(let uuid, let major):
            write(1, uuid)
            write(major)
        case .minor(let uuid, let major, let minor):
            write(2, uuid)
            write(major)
            write(minor)
        case .namespace(let space):
            write(3, space)
        case .instance(let space, let instance):
            write(4, space)
            write(instance)
        }
    }

    private mutating func write(_ kind: UInt8, _ uuid: BeaconUUID) {
        write(kind)
        write(uuid.high)
        write(uuid.low)
    }

    private mutating func write(_ kind: UInt8, _ space: BeaconNamespace) {
        write(kind)
        write(space.high)
        write(space.low)
    }
}

extension ByteReader {
    fileprivate mutating func readPattern() throws -> BeaconPattern {
        switch try byte() {
        case 0: .uuid(try readUUID())
        case 1: .major(try readUUID(), try read())
        case 2: .minor(try readUUID(), major: try read(), minor: try read())
        case 3: .namespace(try readNamespace())
        case 4: .instance(try readNamespace(), try read())
        default: throw DamagedRecord()
        }
    }

    private mutating func readUUID() throws -> BeaconUUID {
        BeaconUUID(high: try read(), low: try read())
    }

    private mutating func readNamespace() throws -> BeaconNamespace {
        BeaconNamespace(high: try read(), low: try read())
    }
}
