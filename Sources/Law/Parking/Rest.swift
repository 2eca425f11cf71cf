import Bytes
import Model
import Time

/// Whether the receiver may sleep. During a rest no fix is expected.
struct Rest: Hashable, Sendable {
    var isOn = false
    /// When the last rest ended, from when on fixes are expected; nil if there was none.
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
