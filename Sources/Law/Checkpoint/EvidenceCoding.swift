import Bytes
package import Model
import Time

// The evidence of an event, as it is written and read.

extension ByteWriter {
    mutating func write(_ evidence: Evidence) {
        write(evidence.distance)
        write(evidence.error)
        write(evidence.inradius)
        write(evidence.buffer)
        write(evidence.proofBound) { $0.write($1) }
        write(evidence.run) { $0.write($1) }
        write(evidence.settled) { $0.write($1.nanoseconds) }
    }
}

extension ByteReader {
    mutating func readEvidence() throws -> Evidence {
        Evidence(
            distance: try readDouble(), error: try readDouble(), inradius: try readDouble(),
            buffer: try readDouble(), proofBound: try readOptional { try $0.readDouble() },
            run: try readOptional { try $0.readDouble() },
            settled: try readOptional { TimeSpan(nanoseconds: try $0.read()) })
    }
}

extension Evidence {
    /// The numbers in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are damaged. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let evidence = ByteReader.value(of: bytes, { try $0.readEvidence() }) else {
            return nil
        }
        self = evidence
    }
}
