package import Bytes
import Model
import Time

extension Trust: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(doubt) { writer, doubt in
            writer.write(doubt.old)
            writer.write(doubt.since)
            writer.write(doubt.start)
        }
        writer.write(last) { $0.write($1) }
        writer.write(standing)
        writer.write(hole) { writer, hole in
            writer.write(hole.before) { $0.write($1) }
            writer.write(hole.first)
            writer.write(hole.end)
        }
    }

    package init(from reader: inout ByteReader) throws {
        doubt = try reader.readOptional { reader in
            Doubt(
                old: try reader.readFix(), since: try reader.readTime(),
                start: try reader.readFix())
        }
        last = try reader.readOptional { try $0.readFix() }
        standing = try reader.read()
        hole = try reader.readOptional { reader in
            Hole(
                before: try reader.readOptional { try $0.readFix() },
                first: try reader.readTime(), end: try reader.readTime())
        }
    }
}
