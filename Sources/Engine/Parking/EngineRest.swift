import Bytes
package import Time

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

extension Engine {
    /// The receiver is left to sleep.
    package var isResting: Bool { rest.isOn }

    mutating func setResting(_ isOn: Bool, at now: Uptime) {
        guard rest.isOn != isOn else { return }
        rest.isOn = isOn
        rest.ended = isOn ? nil : now
    }

    /// Nothing is missed if the receiver sleeps: the vehicle has stood where its ignition was
    /// switched off for as long as that, and no fence waits for a fix.
    package func mayRest(after span: TimeSpan) -> Bool {
        guard let last = motion.last?.fix, gates.last?.fix == last, works.isEmpty,
            let place = parking.place, parking.leaving == nil, standing.since != nil,
            last.time - place.time >= span
        else { return false }
        return window?.regions.allSatisfy(\.mayRest) ?? true
    }
}

extension FenceMonitor {
    fileprivate var mayRest: Bool {
        switch state {
        case .unknown, .outside(nil): true
        case .inside(let stay): stay.settling == nil && stay.crossedOut == nil
        case .outside, .approaching: false
        }
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
