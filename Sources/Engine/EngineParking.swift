import Geodesy
import Time

// A parked vehicle that moves with its ignition off is towed.
extension Engine {
    /// Takes the state of the ignition. On disarms, and ends what was reported. Off arms at the
    /// last fix if the vehicle stands there, otherwise as soon as it stands.
    mutating func setIgnition(_ isOn: Bool, _ directives: inout [Directive]) {
        guard parking.ignition != isOn else { return }
        parking = Parking()
        parking.ignition = isOn
        if !isOn, let last = motion.last?.fix, gates.last?.fix == last { arm(at: last) }
        recordParking([], &directives)
    }

    /// Takes an accepted fix, after all other decisions about it.
    mutating func park(
        _ fix: Fix, at point: SurfacePoint, _ directives: inout [Directive]
    ) {
        guard let place = parking.place else {
            arm(at: fix)
            if parking.place != nil { recordParking([], &directives) }
            return
        }
        let way = point.distance(to: SurfacePoint(place.coordinate))
        let distance = way - settings.parking.radius - place.error
        guard distance - fix.error > 0 else {
            parking.leaving = nil
            return
        }
        guard let leaving = parking.leaving else {
            parking.leaving = Parking.Leaving(time: fix.time, distance: distance)
            return
        }
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

    private mutating func arm(at fix: Fix) {
        guard standing.since != nil else { return }
        parking.place = Parking.Place(
            coordinate: fix.coordinate, error: fix.error, time: fix.time)
    }

    private mutating func recordParking(_ events: [Event], _ directives: inout [Directive]) {
        var record = EventRecord(
            events: events, opened: [], closed: [], known: known, positionLost: isPositionLost)
        record.parking = parking
        directives.append(.record(record))
    }

    /// Resumes with the state that was stored before a power cut.
    package mutating func resume(parking stored: Parking) { parking = stored }
}
