import Bytes
import Model
import Time

/// The terms of a fence, as bytes. Little-endian:
///
///     varint, which of them are present, bit 0 the first
///     those, in this order: text active, text timezone, Float64 speed limit, text speed
///     unit, Int64 stop, longest stay in ns, text
///     of when it expires; once has no value; Int64 when it tells of arrivals, ns before
///
/// A later version adds terms at the end; an unknown one makes the record unreadable, since a fence
/// without one of its terms would give other events.
enum FenceTermsCoding {
    private enum Term {
        static let active: UInt64 = 1
        static let timezone: UInt64 = 2
        static let speedLimit: UInt64 = 4
        static let speedUnit: UInt64 = 8
        static let stop: UInt64 = 16
        static let maxStay: UInt64 = 32
        static let expires: UInt64 = 64
        static let once: UInt64 = 128
        static let arrive: UInt64 = 256
        static let all: UInt64 = 511
    }

    static func encode(_ terms: FenceTerms) -> [UInt8] {
        var present: UInt64 = 0
        if !terms.active.isEmpty { present |= Term.active }
        if !terms.timezone.isEmpty { present |= Term.timezone }
        if terms.speedLimit != 0 { present |= Term.speedLimit }
        if !terms.speedUnit.isEmpty { present |= Term.speedUnit }
        if terms.stop != .zero { present |= Term.stop }
        if terms.maxStay != .zero { present |= Term.maxStay }
        if !terms.expires.isEmpty { present |= Term.expires }
        if terms.once { present |= Term.once }
        if terms.arrive != .zero { present |= Term.arrive }
        var buffer = ByteBuffer()
        buffer.append(varint: present)
        if !terms.active.isEmpty { buffer.append(counted: terms.active) }
        if !terms.timezone.isEmpty { buffer.append(counted: terms.timezone) }
        if terms.speedLimit != 0 { buffer.append(raw: terms.speedLimit.bitPattern) }
        if !terms.speedUnit.isEmpty { buffer.append(counted: terms.speedUnit) }
        if terms.stop != .zero { buffer.append(raw: terms.stop.nanoseconds) }
        if terms.maxStay != .zero { buffer.append(raw: terms.maxStay.nanoseconds) }
        if !terms.expires.isEmpty { buffer.append(counted: terms.expires) }
        if terms.arrive != .zero { buffer.append(raw: terms.arrive.nanoseconds) }
        return Array(buffer.bytes)
    }

    static func decode(_ bytes: ByteView) throws(DamagedRecord) -> FenceTerms {
        var reader = ByteReader(bytes)
        let present = try reader.varint()
        guard present & ~Term.all == 0 else { throw DamagedRecord() }
        var terms = FenceTerms()
        if present & Term.active != 0 { terms.active = try reader.text() }
        if present & Term.timezone != 0 { terms.timezone = try reader.text() }
        if present & Term.speedLimit != 0 { terms.speedLimit = try reader.readDouble() }
        if present & Term.speedUnit != 0 { terms.speedUnit = try reader.text() }
        if present & Term.stop != 0 { terms.stop = TimeSpan(nanoseconds: try reader.read()) }
        if present & Term.maxStay != 0 {
            terms.maxStay = TimeSpan(nanoseconds: try reader.read())
        }
        if present & Term.expires != 0 { terms.expires = try reader.text() }
        terms.once = present & Term.once != 0
        if present & Term.arrive != 0 { terms.arrive = TimeSpan(nanoseconds: try reader.read()) }
        guard reader.isAtEnd else { throw DamagedRecord() }
        return terms
    }
}
