import Bytes
import Model
import Time

extension ByteWriter {
    mutating func write(_ trust: Trust) {
        write(trust.doubt) { writer, doubt in
            writer.write(doubt.old)
            writer.write(doubt.since)
            writer.write(doubt.start)
        }
        write(trust.last) { $0.write($1) }
        write(trust.standing)
        write(trust.hole) { writer, hole in
            writer.write(hole.before) { $0.write($1) }
            writer.write(hole.first)
            writer.write(hole.end)
        }
    }
}

extension ByteReader {
    mutating func readTrust() throws -> Trust {
        var trust = Trust()
        trust.doubt = try readOptional { reader in
            Trust.Doubt(
                old: try reader.readFix(), since: try reader.readTime(),
                start: try reader.readFix())
        }
        trust.last = try readOptional { try $0.readFix() }
        trust.standing = try readStandstill()
        trust.hole = try readOptional { reader in
            Trust.Hole(
                before: try reader.readOptional { try $0.readFix() },
                first: try reader.readTime(), end: try reader.readTime())
        }
        return trust
    }
}
