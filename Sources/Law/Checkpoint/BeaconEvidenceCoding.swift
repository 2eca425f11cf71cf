import Bytes
package import Model
import Time

// The coding of the evidence of a beacon's event.

extension ByteWriter {
    mutating func write(_ evidence: BeaconEvidence) {
        write(evidence.beacon)
        write(evidence.level) { $0.write($1) }
        write(UInt8(clamping: evidence.sightings))
        write(evidence.gap) { $0.write($1.nanoseconds) }
        write(evidence.silence) { $0.write($1.nanoseconds) }
        write(evidence.patience) { $0.write($1.nanoseconds) }
        write(evidence.way) { $0.write($1) }
    }
}

extension ByteReader {
    mutating func readBeaconEvidence() throws -> BeaconEvidence {
        BeaconEvidence(
            beacon: try readIdentity(), level: try readOptional { try $0.readDouble() },
            sightings: Int(try read(UInt8.self)),
            gap: try readOptional { TimeSpan(nanoseconds: try $0.read()) },
            silence: try readOptional { TimeSpan(nanoseconds: try $0.read()) },
            patience: try readOptional { TimeSpan(nanoseconds: try $0.read()) },
            way: try readOptional { try $0.readDouble() })
    }
}

extension BeaconEvidence {
    /// The numbers in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil if the bytes are damaged. Bytes that a later version appends are ignored.
    package init?(bytes: [UInt8]) {
        guard let evidence = ByteReader.value(of: bytes, { try $0.readBeaconEvidence() }) else {
            return nil
        }
        self = evidence
    }
}
