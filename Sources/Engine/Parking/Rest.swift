import Bytes
import Time

/// Whether the receiver is left to sleep. Then no fix comes, and none is missed.
struct Rest: Hashable, Sendable {
    var isOn = false
    /// When it last ended: from then on fixes are waited for; nil where it never did.
    var ended: Uptime?

    /// From when on the position may be lost; nil while it cannot be.
    @inline(__always)
    func waits(since last: Uptime) -> Uptime? {
        if isOn { return nil }
        guard let ended else { return last }
        return max(last, ended)
    }
}

extension ByteWriter {
    mutating func write(_ rest: Rest) {
        write(rest.isOn)
        write(rest.ended) { $0.write($1) }
    }
}

extension ByteReader {
    mutating func readRest() throws -> Rest {
        Rest(isOn: try readBool(), ended: try readOptional { try $0.readUptime() })
    }
}
