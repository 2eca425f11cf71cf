import Bytes
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

extension ByteWriter {
    mutating func write(_ reading: OdometerReading) {
        write(reading.way)
        write(reading.bySpeed)
        write(reading.gap)
        write(reading.newPaths)
    }

    mutating func write(_ way: StayWay) {
        write(way.origin)
        write(way.out) { $0.write($1) }
        write(way.error)
    }
}

extension StayWay {
    fileprivate init(from reader: inout ByteReader) throws {
        origin = try reader.readReading()
        out = try reader.readOptional { try $0.readReading() }
        error = try reader.readDouble()
    }
}

extension ByteReader {
    mutating func readReading() throws -> OdometerReading {
        var reading = OdometerReading()
        reading.way = try readDouble()
        reading.bySpeed = try readDouble()
        reading.gap = try readDouble()
        reading.newPaths = try read()
        guard reading.way >= 0, reading.gap >= 0, reading.metres.isFinite,
            reading.bySpeed.isFinite
        else {
            throw DamagedRecord()
        }
        return reading
    }

    mutating func readStayWay() throws -> StayWay { try StayWay(from: &self) }
}

// In the store.
extension OdometerReading {
    /// Its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are no reading. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let reading = ByteReader.value(of: bytes, { try $0.readReading() }) else {
            return nil
        }
        self = reading
    }
}

extension StayWay {
    /// Its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are no way of a stay. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let way = ByteReader.value(of: bytes, { try $0.readStayWay() }) else { return nil }
        self = way
    }
}
