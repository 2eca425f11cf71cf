package import Bytes

// How a pattern is stored, by the catalogue and in the checkpoint: a change of it is a new version
// of both. Little-endian:
//
//     UInt8 kind, then
//     kind 0, 1, 2: UInt64 high, low of the UUID; 1, 2: UInt16 major; 2: UInt16 minor
//     kind 3, 4:    UInt16 high, UInt64 low of the namespace; 4: UInt64 instance

extension ByteWriter {
    /// 11 to 21 bytes, which ``ByteReader/readPattern()`` reads.
    package mutating func write(_ pattern: BeaconPattern) {
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
    /// What ``ByteWriter/write(_:)`` wrote of a pattern, whatever its numbers; an unknown kind, or
    /// too few bytes, are damage.
    package mutating func readPattern() throws(DamagedRecord) -> BeaconPattern {
        switch try byte() {
        case 0: .uuid(try readUUID())
        case 1: .major(try readUUID(), try read())
        case 2: .minor(try readUUID(), major: try read(), minor: try read())
        case 3: .namespace(try readNamespace())
        case 4: .instance(try readNamespace(), try read())
        default: throw DamagedRecord()
        }
    }

    private mutating func readUUID() throws(DamagedRecord) -> BeaconUUID {
        BeaconUUID(high: try read(), low: try read())
    }

    private mutating func readNamespace() throws(DamagedRecord) -> BeaconNamespace {
        BeaconNamespace(high: try read(), low: try read())
    }
}
