import Geodesy
import Model
package import Time

// A parked vehicle that moves with its ignition off is towed.
extension Engine {
    /// Takes the state of the ignition. On disarms, and ends what was reported. Off arms at the
    /// last fix if the vehicle stands there, otherwise as soon as it stands.
    mutating func setIgnition(_ isOn: Bool, at now: Uptime, _ directives: inout [Directive]) {
        guard parking.ignition != isOn else { return }
        let events = turnTrip(isOn, at: now)
        let trip = parking.trip
        parking = Parking()
        parking.trip = trip
        parking.ignition = isOn
        parking.doubted = trust.doubt?.old
        if !isOn, let last = motion.last?.fix, gates.last?.fix == last { arm(at: last) }
        recordParking(events, &directives)
    }

    /// Takes an accepted fix, after all other decisions about it.
    mutating func park(
        _ fix: Fix, at point: SurfacePoint, link: Passage.Link, _ directives: inout [Directive]
    ) {
        guard let place = parking.place else {
            arm(at: fix)
            if parking.place != nil { recordParking([], &directives) }
            return
        }
        let way = point.distance(to: SurfacePoint(place.coordinate))
        let distance = way - settings.parking.radius - place.error
        if case .newPath(.jump) = link, distance > 0, isRooted {
            parking.forgetPlace()
            return recordParking([], &directives)
        }
        parking.lose(at: link)
        guard distance > 0 else { return parking.stay(at: fix.time) }
        guard distance - fix.error > 0 else {
            parking.leaving = nil
            return
        }
        guard let leaving = parking.leaving else {
            parking.leaving = Parking.Leaving(time: fix.time, distance: distance)
            return
        }
        guard isRooted || fix.time - leaving.time >= settings.parking.hold else { return }
        parking.isTold = true
        parking.place = nil
        parking.leaving = nil
        var event = Event(
            kind: .towed, fence: nil, time: min(leaving.time, fix.time), fixTime: fix.time,
            presence: nil)
        event.distance = distance
        event.error = fix.error
        event.speed = fix.speed
        event.course = fix.course
        event.coordinate = fix.coordinate
        recordParking([event], &directives)
    }

    /// Whether the fixes have led from the place to here without a hole.
    @inline(__always)
    private var isRooted: Bool { parking.isRooted(for: settings.crossing.settle) }

    /// When the place is armed if no further fix comes; nil where it is armed, or cannot be.
    var armingDue: Uptime? {
        guard parking.isWatching, parking.place == nil, let last = motion.last?.fix,
            let since = standing.since, since < last.time
        else { return nil }
        return last.arrival + settings.crossing.timedDecision
    }

    /// Fixes have stopped: the place is that of the last one.
    mutating func armWithoutFix() {
        guard let last = motion.last?.fix, let since = standing.since else { return }
        arm(at: last, standingSince: since)
    }

    /// Arms at this fix, if the vehicle has stood there for the settle time.
    private mutating func arm(at fix: Fix) {
        guard let since = standing.since, fix.time - since >= settings.crossing.settle else {
            return
        }
        arm(at: fix, standingSince: since)
    }

    private mutating func arm(at fix: Fix, standingSince since: UTCTime) {
        parking.place = Parking.Place(
            coordinate: fix.coordinate, error: fix.error, time: fix.time)
        parking.row = Parking.Row(first: since, last: fix.time)
    }

    mutating func recordParking(_ events: [Event], _ directives: inout [Directive]) {
        var record = EventRecord(
            events: events, opened: [], closed: [], known: known, positionLost: isPositionLost)
        record.parking = parking
        record.driven = odometer.reading
        directives.append(.record(record))
    }

    /// Resumes with the state that was stored before a power cut.
    /// - Parameter seen: the receiver time of the last position that was stored.
    package mutating func resume(parking stored: Parking, seen: UTCTime? = nil) {
        parking = stored
        if let began = parking.trip?.began { parking.trip?.seen = max(seen ?? began, began) }
        trust.resume(doubtAfter: stored.doubted)
    }
}
