package import Bytes
package import Geodesy
package import Model
package import Time

/// How far the vehicle has been driven: section 13 of the law.
package struct Odometer: Hashable, Sendable {
    /// What it shows at the last fix that was judged.
    package private(set) var reading = OdometerReading()
    /// Up to where it has counted; nil before the first fix.
    private var anchor: Fix?
    /// Its place on the ellipsoid.
    private var point: SurfacePoint?
    /// Every fix is an anchor.
    private var isUnderWay = false

    /// A vehicle that does not certainly move has come no nearer than that to being elsewhere, m; or
    /// the errors of both fixes together, if that is more.
    private static let leastWay = 50.0

    /// Goes on from a reading, at the next fix on a new path.
    package init(_ reading: OdometerReading = .init()) { self.reading = reading }

    /// Takes the next fix that is judged.
    /// - Parameters:
    ///   - standing: whether the vehicle stands, with this fix.
    ///   - motion: ends with this fix, and knows whether the vehicle certainly moves at it.
    ///   - wheels: what they say at this fix.
    package mutating func drive(
        _ link: Passage.Link, to fix: Fix, at point: SurfacePoint, standing: Standstill,
        motion: inout Motion, wheels: WheelReading? = nil, _ settings: WaySettings
    ) {
        if let way = wheels?.way {
            count(byWheels: way, link, to: fix, at: point)
            return
        }
        if case .newPath = link {
            if anchor != nil || reading != OdometerReading() { reading.newPaths &+= 1 }
            isUnderWay = false
            move(to: fix, at: point)
            return
        }
        // It belongs to a standing that began before it.
        if let since = standing.since, since != fix.time {
            isUnderWay = false
            return
        }
        let isSlow = fix.speed.map { $0 < Movement.leastSpeed }
        // On the way from one anchor to the next; most fixes of a drive end here.
        if isUnderWay, isSlow == false, case .path(let path) = link {
            count(path.length, from: anchor, to: fix)
            move(to: fix, at: point)
            return
        }
        switch isSlow {
        case true?: isUnderWay = false
        case false?: isUnderWay = isUnderWay || motion.isMovingAtLast(settings)
        case nil: isUnderWay = motion.isMovingAtLast(settings)
        }
        guard let anchor, let from = self.point else { return move(to: fix, at: point) }
        let way = from.distance(to: point)
        guard isUnderWay || way > max(Self.leastWay, anchor.error + fix.error) else { return }
        if case .gap = link {
            reading.gap += way
        } else {
            count(way, from: nil, to: fix)
        }
        move(to: fix, at: point)
    }

    /// The wheels count the step, and every fix is an anchor.
    private mutating func count(
        byWheels way: Double, _ link: Passage.Link, to fix: Fix, at point: SurfacePoint
    ) {
        switch link {
        case .path(let path):
            reading.way += way
            reading.bySpeed += path.length
        case .gap:
            reading.gap += way
        case .newPath:
            if anchor != nil || reading != OdometerReading() { reading.newPaths &+= 1 }
            reading.gap += way
        }
        isUnderWay = false
        move(to: fix, at: point)
    }

    /// `before` is the fix before, if that is where the way begins.
    private mutating func count(_ way: Double, from before: Fix?, to fix: Fix) {
        reading.way += way
        guard let before, let speedBefore = before.speed, let speed = fix.speed else {
            reading.bySpeed += way
            return
        }
        reading.bySpeed += (speedBefore + speed) / 2 * max((fix.time - before.time).seconds, 0)
    }

    /// A re-base: translates the stored receiver time to the new time base.
    package mutating func shift(by span: TimeSpan) {
        guard let anchor else { return }
        self.anchor?.time = anchor.time + span
    }

    private mutating func move(to fix: Fix, at point: SurfacePoint) {
        anchor = fix
        self.point = point
    }
}

extension Odometer: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(reading)
        writer.write(anchor) { $0.write($1) }
        writer.write(isUnderWay)
    }

    package init(from reader: inout ByteReader) throws {
        self.init(try reader.read())
        anchor = try reader.readOptional { try $0.readFix() }
        point = anchor.map { SurfacePoint($0.coordinate) }
        isUnderWay = try reader.readBool()
    }
}
