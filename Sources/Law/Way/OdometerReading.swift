package import Bytes
import Model
import SharedLimits

/// What the odometer shows; no part of it ever goes back.
package struct OdometerReading: Hashable, Sendable {
    /// Along paths, m.
    package var way = 0.0
    /// The same by the speeds that the receiver reports, m; what it reports none for, and what the
    /// wheels have counted, by the path.
    package var bySpeed = 0.0
    /// Across gaps, where nobody saw the way: the geodesics, m.
    package var gap = 0.0
    /// How many paths had no beginning that a way leads to, the first one apart.
    package var newPaths: UInt32 = 0

    package init() {}

    /// More than any vehicle is driven, m.
    package static let most = SharedLimits.odometer

    /// Both together, m.
    package var metres: Double { way + gap }

    /// Goes on by what lies between two readings.
    fileprivate mutating func move(from before: OdometerReading, to reading: OdometerReading) {
        // Readings that were damaged on the disk make no sense, and must not end us.
        way = max(way + reading.way - before.way, 0)
        bySpeed += reading.bySpeed - before.bySpeed
        gap = max(gap + reading.gap - before.gap, 0)
        newPaths &+= reading.newPaths &- before.newPaths
    }
}

/// What the odometer showed before and after the step to a fix.
package struct DrivenStep: Hashable, Sendable {
    var before: OdometerReading
    var after: OdometerReading

    package init(before: OdometerReading = .init(), after: OdometerReading = .init()) {
        self.before = before
        self.after = after
    }

    /// A reading on the way of the step, which counts evenly.
    func reading(at fraction: Double) -> OdometerReading {
        guard fraction < 1 else { return after }
        var reading = before
        reading.way += fraction * (after.way - before.way)
        reading.bySpeed += fraction * (after.bySpeed - before.bySpeed)
        return reading
    }
}

/// The metres of a stay, or of a pending enter, as what the odometer shows.
package struct StayWay: Hashable, Sendable {
    /// The reading at the opening, plus what was driven outside since.
    private(set) var origin: OdometerReading
    /// The reading where the boundary was last crossed outwards, while the vehicle is beyond it.
    private(set) var out: OdometerReading?
    /// Error at the opening, m.
    var error: Double

    init(from origin: OdometerReading, error: Double) {
        self.origin = origin
        self.error = error
    }

    /// The boundary is crossed, or the side is found to be another.
    mutating func cross(inwards: Bool, at reading: OdometerReading) {
        guard inwards else {
            out = out ?? reading
            return
        }
        guard let out else { return }
        origin.move(from: out, to: reading)
        self.out = nil
    }

    /// The odometer shows `reading` where it showed `before`: what was counted since stays.
    package mutating func move(from before: OdometerReading, to reading: OdometerReading) {
        origin.move(from: before, to: reading)
        out?.move(from: before, to: reading)
    }

    /// What was driven inside, if it ends with that fix.
    /// - Parameter now: the reading at the fix, for a stay that ends there.
    func details(_ now: OdometerReading, error: Double) -> WayDetails {
        let end = out ?? now
        return WayDetails(
            metres: max(end.way - origin.way, 0), gap: max(end.gap - origin.gap, 0),
            newPaths: end.newPaths >= origin.newPaths ? end.newPaths - origin.newPaths : 0,
            error: self.error + error,
            disagreement: abs(end.way - origin.way - (end.bySpeed - origin.bySpeed)))
    }
}

extension OdometerReading: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(way)
        writer.write(bySpeed)
        writer.write(gap)
        writer.write(newPaths)
    }

    package init(from reader: inout ByteReader) throws {
        way = try reader.readDouble()
        bySpeed = try reader.readDouble()
        gap = try reader.readDouble()
        newPaths = try reader.read()
        guard way >= 0, gap >= 0, metres.isFinite, bySpeed.isFinite else { throw DamagedRecord() }
    }
}

extension StayWay: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(origin)
        writer.write(out) { $0.write($1) }
        writer.write(error)
    }

    package init(from reader: inout ByteReader) throws {
        origin = try reader.read()
        out = try reader.readOptional { try $0.read() }
        error = try reader.readDouble()
    }
}
