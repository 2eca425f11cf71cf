package import Bytes
package import Geodesy
import Model
package import Time

/// Where the vehicle is parked, and whether it was moved from there: section 12 of the law.
package struct Parking: Hashable, Sendable {
    /// Whether the ignition is on, as last set; nil if it was never set.
    package var ignition: Bool?
    /// The place at which the alarm is armed; nil while it is not.
    package var place: Place?
    /// The first of consecutive fixes outside the place.
    package var leaving: Leaving?
    /// The fixes in the place, as long as no hole and no new path lies between them and the last
    /// one. A power cut is a hole: not stored.
    var row: Row?
    /// `towed` has been recorded since the ignition was switched off.
    package var isTold = false

    package init() {}

    /// Where the vehicle was left.
    package struct Place: Hashable, Sendable {
        /// WGS 84.
        package var coordinate: Coordinate
        /// The error of the fix, m.
        package var error: Double
        /// Receiver time of the fix.
        package var time: UTCTime

        package init(coordinate: Coordinate, error: Double, time: UTCTime) {
            self.coordinate = coordinate
            self.error = error
            self.time = time
        }
    }

    /// A fix outside the place.
    package struct Leaving: Hashable, Sendable {
        /// Receiver time.
        package var time: UTCTime
        /// The distance from the boundary of the place, m.
        package var distance: Double
    }

    /// Fixes that lay in the place one after the other, receiver times.
    struct Row: Hashable, Sendable {
        var first: UTCTime
        var last: UTCTime
    }

    /// Takes a fix that lies in the place.
    private mutating func stay(at time: UTCTime) {
        leaving = nil
        row = Row(first: row?.first ?? time, last: time)
    }

    /// The last fix is not connected with those in the place: the vehicle can have been carried
    /// away, and a receiver that wakes can be wrong.
    private mutating func lose(at link: Passage.Link) {
        switch link {
        case .path: return
        case .gap: break
        case .newPath: leaving = nil
        }
        row = nil
    }

    /// The receiver says that the vehicle is where it cannot have come to: it is armed anew where
    /// it stands then.
    package mutating func forgetPlace() {
        place = nil
        leaving = nil
        row = nil
    }

    /// Whether the receiver has shown the vehicle in the place for that long, and without a hole
    /// since.
    private func isRooted(for span: TimeSpan) -> Bool {
        row.map { $0.last - $0.first >= span } ?? false
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        if let place { self.place?.time = place.time + span }
        if let leaving { self.leaving?.time = leaving.time + span }
        row = row.map { Row(first: $0.first + span, last: $0.last + span) }
    }

    /// Whether the next accepted fix may arm the alarm or trigger it.
    var isWatching: Bool { ignition == false && !isTold }
}

// A parked vehicle that moves with its ignition off is towed.
extension Parking {
    /// Takes another state of the ignition. On disarms, and ends what was reported. Off arms if the
    /// vehicle stands at `last`, which is nil where that fix is not judged yet; otherwise as soon as it
    /// stands.
    mutating func turn(
        _ isOn: Bool, at last: Fix?, standingSince since: UTCTime?, settle: TimeSpan
    ) {
        self = Parking()
        ignition = isOn
        if !isOn, let last { arm(at: last, standingSince: since, settle: settle) }
    }

    /// Takes what has become of the position.
    mutating func note(_ verdict: Trust.Verdict) {
        switch verdict {
        // What it has held up to now is over.
        case .doubted: leaving = nil
        case .elsewhere: forgetPlace()
        case .believed, .doubtful, .back: break
        }
    }

    /// Takes a judged fix, after all other decisions about it.
    mutating func note(_ step: WayStep, _ settings: ParkingSettings, settle: TimeSpan) -> Findings {
        let fix = step.to
        guard let place else {
            arm(at: fix, standingSince: step.standingSince, settle: settle)
            return self.place == nil ? Findings() : .ofVehicle(nil)
        }
        let way = step.point.distance(to: SurfacePoint(place.coordinate))
        let distance = way - settings.radius - place.error
        if case .newPath(.jump) = step.link, distance > 0, isRooted(for: settle) {
            forgetPlace()
            return .ofVehicle(nil)
        }
        lose(at: step.seen)
        guard distance > 0 else {
            stay(at: fix.time)
            return Findings()
        }
        guard distance - fix.error > 0 else {
            leaving = nil
            return Findings()
        }
        guard let leaving else {
            self.leaving = Leaving(time: fix.time, distance: distance)
            return Findings()
        }
        guard isRooted(for: settle) || fix.time - leaving.time >= settings.hold else {
            return Findings()
        }
        isTold = true
        self.place = nil
        self.leaving = nil
        var event = Event.position(.towed, time: min(leaving.time, fix.time), fix: fix)
        event.distance = distance
        return .ofVehicle(event)
    }

    /// When the place is armed if no further fix comes; nil where it is armed, or cannot be.
    @inline(__always)
    func due(after last: Fix?, standingSince since: UTCTime?, wait: TimeSpan) -> Uptime? {
        guard isWatching, place == nil, let last, let since, since < last.time else { return nil }
        return last.arrival + wait
    }

    /// Fixes have stopped: the place is that of the last one. Whether it is armed then.
    mutating func fire(
        at due: Uptime, after last: Fix?, standingSince since: UTCTime?, wait: TimeSpan
    ) -> Bool {
        guard self.due(after: last, standingSince: since, wait: wait) == due, let last else {
            return false
        }
        arm(at: last, standingSince: since, settle: .zero)
        return true
    }

    /// Arms at this fix, if the vehicle has stood there for the settle time.
    private mutating func arm(at fix: Fix, standingSince since: UTCTime?, settle: TimeSpan) {
        guard let since, fix.time - since >= settle else { return }
        place = Place(coordinate: fix.coordinate, error: fix.error, time: fix.time)
        row = Row(first: since, last: fix.time)
    }
}

extension Parking: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(ignition) { $0.write($1) }
        writer.write(place) { writer, place in
            writer.write(place.coordinate)
            writer.write(place.error)
            writer.write(place.time)
        }
        writer.write(leaving) { writer, leaving in
            writer.write(leaving.time)
            writer.write(leaving.distance)
        }
        writer.write(isTold)
    }

    package init(from reader: inout ByteReader) throws {
        ignition = try reader.readOptional { try $0.readBool() }
        place = try reader.readOptional { reader in
            Place(
                coordinate: try reader.readCoordinate(), error: try reader.readDouble(),
                time: try reader.readTime())
        }
        leaving = try reader.readOptional { reader in
            Leaving(time: try reader.readTime(), distance: try reader.readDouble())
        }
        isTold = try reader.readBool()
    }
}

extension Parking.Row: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.write(first)
        writer.write(last)
    }

    init(from reader: inout ByteReader) throws {
        first = try reader.readTime()
        last = try reader.readTime()
    }
}
