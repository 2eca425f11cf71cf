package import Bytes
package import Model
import Time

// The evidence of an event.
extension Evidence: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(distance)
        writer.write(error)
        writer.write(inradius)
        writer.write(buffer)
        writer.write(proofBound) { $0.write($1) }
        writer.write(run) { $0.write($1) }
        writer.write(settled) { $0.write($1.nanoseconds) }
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            distance: try reader.readDouble(), error: try reader.readDouble(),
            inradius: try reader.readDouble(), buffer: try reader.readDouble(),
            proofBound: try reader.readOptional { try $0.readDouble() },
            run: try reader.readOptional { try $0.readDouble() },
            settled: try reader.readOptional { TimeSpan(nanoseconds: try $0.read()) })
    }
}
