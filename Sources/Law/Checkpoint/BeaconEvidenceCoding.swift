package import Bytes
package import Model
import Time

// The evidence of a beacon's event.
extension BeaconEvidence: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(beacon)
        writer.write(level) { $0.write($1) }
        writer.write(UInt8(clamping: sightings))
        writer.write(gap) { $0.write($1.nanoseconds) }
        writer.write(silence) { $0.write($1.nanoseconds) }
        writer.write(patience) { $0.write($1.nanoseconds) }
        writer.write(way) { $0.write($1) }
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            beacon: try reader.readIdentity(),
            level: try reader.readOptional { try $0.readDouble() },
            sightings: Int(try reader.read(UInt8.self)),
            gap: try reader.readOptional { TimeSpan(nanoseconds: try $0.read()) },
            silence: try reader.readOptional { TimeSpan(nanoseconds: try $0.read()) },
            patience: try reader.readOptional { TimeSpan(nanoseconds: try $0.read()) },
            way: try reader.readOptional { try $0.readDouble() })
    }
}
