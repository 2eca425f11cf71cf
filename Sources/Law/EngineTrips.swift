import Geodesy
import Model
import Time

// From one standing to the next, or from ignition on to off: section 15 of the law.
extension Engine {
    /// Takes a change of the ignition, after what was due before it. Gives the event of the trip that
    /// ends with it.
    mutating func turnTrip(_ isOn: Bool, at now: Uptime) -> [Event] {
        guard settings.trips.areRecorded else { return [] }
        if isOn {
            guard !parking.hasTrip, let judged = motion.last?.fix, let last = lastFix else {
                return []
            }
            parking.trip = Trip(
                began: last.time(at: now), from: tripPlace,
                way: StayWay(from: odometer.reading, error: judged.error))
            return []
        }
        let end = lastFix?.time(at: now) ?? parking.trip?.seen ?? parking.trip?.began
        guard let end else { return [] }
        return endTrip(at: end).map { [$0] } ?? []
    }

    /// Before a fix is judged: ends a trip that had ended without one, so long ago is the last.
    mutating func endTrip(before fix: Fix, _ directives: inout [Directive]) {
        guard let trip = parking.trip else { return }
        guard settings.trips.areRecorded else {
            // It was begun with other settings.
            parking.trip = nil
            return recordParking([], &directives)
        }
        var event: Event?
        if let seen = trip.seen {
            parking.trip?.seen = nil
            // Much earlier: the receiver's time was wrong, and nobody knows how long ago it was.
            let stand = settings.trips.stand
            guard fix.time - seen >= stand || seen - fix.time >= stand else { return }
            event = endTrip(at: seen, reason: .restart)
        } else {
            guard parking.ignition == nil, let last = motion.last?.fix,
                fix.time - last.time >= tripWait(after: last, trip)
            else { return }
            event = endTripUnseen()
        }
        recordParking(event.map { [$0] } ?? [], &directives)
    }

    /// Takes the step to a fix, before the fences have: begins a trip, and counts its stops.
    mutating func followTrip(
        _ step: DrivenStep, _ link: Passage.Link, from before: Fix?, to fix: Fix,
        _ directives: inout [Directive]
    ) {
        let isDriven = step.after.metres > step.before.metres
        guard let trip = parking.trip else {
            guard isDriven, parking.ignition != false else { return }
            var began = fix.time
            // Nobody saw when in a gap.
            if let before, case .path = link { began = before.time }
            parking.trip = Trip(
                began: began, from: tripPlace,
                way: StayWay(from: step.before, error: before?.error ?? fix.error))
            return recordParking([], &directives)
        }
        if isDriven {
            guard trip.isStopped else { return }
            parking.trip?.isStopped = false
            parking.trip?.stops += 1
        } else if !trip.isStopped, let since = standing.since,
            fix.time - since >= settings.trips.stop,
            step.after.metres > trip.way.origin.metres
        {
            parking.trip?.isStopped = true
        }
    }

    /// After the fences have taken a fix: records its position, where that is due and the vehicle moves.
    mutating func markTrip(at fix: Fix, _ directives: inout [Directive]) {
        guard settings.trips.every > .zero, let trip = parking.trip,
            (standing.since ?? fix.time) == fix.time,
            trip.marked.map({ fix.time - $0 >= settings.trips.every }) ?? true
        else { return }
        parking.trip?.marked = fix.time
        var event = Event.position(.position, time: fix.time, fix: fix)
        event.odometer = WayDetails.rounded(odometer.reading.metres)
        event.announced = false
        recordParking([event], &directives)
    }

    /// After the fences have taken a fix: ends a trip that has ended by standing.
    mutating func endTripStanding(at fix: Fix, _ directives: inout [Directive]) {
        guard let trip = parking.trip, let since = standing.since else { return }
        let still = max(since, trip.began)
        guard fix.time - still >= settings.trips.stand else { return }
        let event = endTrip(at: still)
        recordParking(event.map { [$0] } ?? [], &directives)
    }

    /// When the trip ends if no further fix comes; nil where it does not.
    @inline(__always)
    var tripDue: Uptime? {
        guard parking.hasTrip, parking.ignition == nil, let last = motion.last?.fix,
            let trip = parking.trip
        else { return nil }
        return last.arrival + tripWait(after: last, trip)
    }

    /// No fix has come for too long.
    mutating func endTripUnseen() -> Event? {
        guard let trip = parking.trip, let last = motion.last?.fix else { return nil }
        return endTrip(
            at: lastMoved(last, trip), reason: standing.since == nil ? .positionLost : nil)
    }

    /// How long after the last fix the trip is over, if none comes.
    private func tripWait(after last: Fix, _ trip: Trip) -> TimeSpan {
        max(
            settings.trips.stand - (last.time - lastMoved(last, trip)),
            settings.crossing.timedDecision)
    }

    /// Since when the vehicle has not been seen to move.
    private func lastMoved(_ last: Fix, _ trip: Trip) -> UTCTime {
        max(standing.since ?? last.time, trip.began)
    }

    /// The event, unless nothing was driven.
    private mutating func endTrip(at time: UTCTime, reason: EventReason? = nil) -> Event? {
        guard let trip = parking.trip else { return nil }
        parking.trip = nil
        guard odometer.reading.metres > trip.way.origin.metres else { return nil }
        let last = motion.last?.fix
        let end = max(time, trip.began)
        var event = Event(
            kind: .trip, fence: nil, time: end, fixTime: last?.time ?? end, presence: nil,
            reason: reason, error: last?.error, speed: last?.speed, course: last?.course,
            coordinate: last?.coordinate, stay: end - trip.began)
        event.odometer = WayDetails.rounded(odometer.reading.metres)
        event.way = trip.way.details(odometer.reading, error: last?.error ?? 0)
        event.trip = TripDetails(from: trip.from, to: tripPlace, stops: trip.stops)
        return event
    }

    /// The smallest fence that the vehicle is in, of those with an area.
    private var tripPlace: TripPlace? {
        let inside = (window?.regions ?? []).filter { $0.presence == .inside }
        let smallest = inside.min { one, other in
            let (area, another) = (one.entry.area.size, other.entry.area.size)
            guard area == another else { return area < another }
            return one.entry.id.utf8.lexicographicallyPrecedes(other.entry.id.utf8)
        }
        return smallest.map {
            let fence = $0.entry.fence
            return TripPlace(fence: fence.id, title: fence.title, metadata: fence.metadata)
        }
    }
}

extension Fix {
    /// The receiver time at a later monotonic time.
    fileprivate func time(at now: Uptime) -> UTCTime { time + max(now - arrival, .zero) }
}
