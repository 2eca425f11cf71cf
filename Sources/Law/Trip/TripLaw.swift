import Bytes
import Model
import Time

/// Trips, from one standing to the next, or from ignition on to off: section 15 of the law.
struct TripLaw: Hashable, Sendable {
    /// The trip that is not over; nil where there is none, or none is recorded.
    @Boxed var open: Trip?

    init() { open = nil }

    /// Whether a trip is not over.
    @inline(__always)
    var isOpen: Bool { if case .present = _open { true } else { false } }

    // Where an event or a beginning needs the place, `place` is asked: the smallest fence that the
    // vehicle is in.

    /// Takes a change of the ignition, after what was due before it; `last` is the last accepted fix.
    mutating func turn(
        _ isOn: Bool, at now: Uptime, after last: Fix?, _ way: Way, _ settings: TripSettings,
        in place: () -> TripPlace?
    ) -> Findings {
        guard settings.areRecorded else { return Findings() }
        if isOn {
            guard open == nil, let judged = way.last?.fix, let last else { return Findings() }
            open = Trip(
                began: last.time(at: now), from: place(),
                way: StayWay(from: way.odometer.reading, error: judged.error))
            return .ofVehicle(nil)
        }
        guard let end = last?.time(at: now) ?? open?.seen ?? open?.began else {
            return Findings()
        }
        return endTrip(at: end, way, in: place)
    }

    /// Before a fix is judged: ends a trip that had ended without one, so long ago is the last.
    mutating func end(
        before fix: Fix, _ way: Way, ignition: Bool?, _ settings: TripSettings, wait: TimeSpan,
        in place: () -> TripPlace?
    ) -> Findings {
        guard let trip = open else { return Findings() }
        guard settings.areRecorded else {
            // It was begun with other settings.
            open = nil
            return .ofVehicle(nil)
        }
        if let seen = trip.seen {
            open?.seen = nil
            // Much earlier: the receiver's time was wrong, and nobody knows how long ago it was.
            guard fix.time - seen >= settings.stand || seen - fix.time >= settings.stand else {
                return Findings()
            }
            return endTrip(at: seen, reason: .restart, way, in: place)
        }
        guard ignition == nil, let last = way.last?.fix,
            fix.time - last.time
                >= trip.wait(after: last, way.standing.since, settings, least: wait)
        else { return Findings() }
        return endUnseen(way, in: place)
    }

    /// Takes the step to a fix, before the fences have: begins a trip, and counts its stops.
    mutating func note(
        _ step: WayStep, ignition: Bool?, _ settings: TripSettings, in place: () -> TripPlace?
    ) -> Findings {
        let isDriven = step.driven.after.metres > step.driven.before.metres
        guard let trip = open else {
            guard isDriven, ignition != false else { return Findings() }
            var began = step.to.time
            // Nobody saw when in a gap.
            if let before = step.before, case .path = step.seen { began = before.time }
            open = Trip(
                began: began, from: place(),
                way: StayWay(
                    from: step.driven.before, error: step.before?.error ?? step.to.error))
            return .ofVehicle(nil)
        }
        if isDriven {
            guard trip.isStopped else { return Findings() }
            open?.isStopped = false
            open?.stops += 1
        } else if !trip.isStopped, let since = step.standingSince,
            step.to.time - since >= settings.stop,
            step.driven.after.metres > trip.way.origin.metres
        {
            open?.isStopped = true
        }
        return Findings()
    }

    /// After the fences have taken a fix: its position, where that is due and the vehicle moves.
    mutating func mark(_ step: WayStep, every interval: TimeSpan) -> Findings {
        let fix = step.to
        guard interval > .zero, let trip = open, (step.standingSince ?? fix.time) == fix.time,
            trip.marked.map({ fix.time - $0 >= interval }) ?? true
        else { return Findings() }
        open?.marked = fix.time
        var event = Event.position(.position, time: fix.time, fix: fix)
        event.odometer = WayDetails.rounded(step.driven.after.metres)
        event.announced = false
        return .ofVehicle(event)
    }

    /// After the fences have taken a fix: ends a trip that has ended by standing.
    mutating func endStanding(
        _ step: WayStep, _ way: Way, _ settings: TripSettings, in place: () -> TripPlace?
    ) -> Findings {
        guard let trip = open, let since = step.standingSince else { return Findings() }
        let still = max(since, trip.began)
        guard step.to.time - still >= settings.stand else { return Findings() }
        return endTrip(at: still, way, in: place)
    }

    /// When the trip ends if no further fix comes; nil where it does not.
    @inline(__always)
    func due(
        after last: Fix?, standingSince since: UTCTime?, ignition: Bool?,
        _ settings: TripSettings, wait: TimeSpan
    ) -> Uptime? {
        guard isOpen, ignition == nil, let last, let trip = open else { return nil }
        return last.arrival + trip.wait(after: last, since, settings, least: wait)
    }

    /// No fix has come until then.
    mutating func fire(
        at due: Uptime, _ way: Way, ignition: Bool?, _ settings: TripSettings, wait: TimeSpan,
        in place: () -> TripPlace?
    ) -> Findings {
        let own = self.due(
            after: way.last?.fix, standingSince: way.standing.since, ignition: ignition, settings,
            wait: wait)
        return own == due ? endUnseen(way, in: place) : Findings()
    }

    private mutating func endUnseen(_ way: Way, in place: () -> TripPlace?) -> Findings {
        guard let trip = open, let last = way.last?.fix else { return Findings() }
        let since = way.standing.since
        return endTrip(
            at: trip.moved(last, since), reason: since == nil ? .positionLost : nil, way, in: place)
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) { open?.shift(by: span) }

    /// With its event, unless nothing was driven.
    private mutating func endTrip(
        at time: UTCTime, reason: EventReason? = nil, _ way: Way, in place: () -> TripPlace?
    ) -> Findings {
        guard let trip = open else { return Findings() }
        open = nil
        let driven = way.odometer.reading
        guard driven.metres > trip.way.origin.metres else { return .ofVehicle(nil) }
        let last = way.last?.fix
        let end = max(time, trip.began)
        var event = Event(
            kind: .trip, fence: nil, time: end, fixTime: last?.time ?? end, presence: nil,
            reason: reason, error: last?.error, speed: last?.speed, course: last?.course,
            coordinate: last?.coordinate, stay: end - trip.began)
        event.odometer = WayDetails.rounded(driven.metres)
        event.way = trip.way.details(driven, error: last?.error ?? 0)
        event.trip = TripDetails(from: trip.from, to: place(), stops: trip.stops)
        return .ofVehicle(event)
    }
}

extension Trip {
    /// Since when the vehicle has not been seen to move.
    fileprivate func moved(_ last: Fix, _ standingSince: UTCTime?) -> UTCTime {
        max(standingSince ?? last.time, began)
    }

    /// How long after the last fix the trip is over, if none comes.
    fileprivate func wait(
        after last: Fix, _ standingSince: UTCTime?, _ settings: TripSettings, least: TimeSpan
    ) -> TimeSpan {
        max(settings.stand - (last.time - moved(last, standingSince)), least)
    }
}

extension Fix {
    /// The receiver time at a later monotonic time.
    fileprivate func time(at now: Uptime) -> UTCTime { time + max(now - arrival, .zero) }
}

extension TripLaw: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.write(open) { writer, trip in
            writer.writeSection { $0.write(trip) }
            writer.write(trip.seen) { $0.write($1) }
        }
    }

    init(from reader: inout ByteReader) throws {
        open = try reader.readOptional { reader in
            var section = ByteReader(try reader.readSection())
            var trip = try section.read(Trip.self)
            trip.seen = try reader.readOptional { try $0.readTime() }
            return trip
        }
    }
}
