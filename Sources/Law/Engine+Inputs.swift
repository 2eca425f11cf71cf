import Geodesy
import Model
import Time

// What is no fix: the catalogue, the ignition, the vehicle, its route, beacons.
extension Engine {
    // MARK: The catalogue

    mutating func recenter(
        _ nearest: [RankedEntry], reason: WindowReason, at now: Uptime,
        _ directives: inout [Directive]
    ) {
        guard let last = way.last else { return }
        let (change, grown) = regions.recenter(
            nearest, around: last.point, reason: reason, at: now, catalogue, settings.window)
        if let change { directives.append(.windowChanged(change)) }
        if let grown { directives.append(.windowGrew(grown)) }
    }

    mutating func reconcile(_ entries: [CatalogueEntry], _ directives: inout [Directive]) {
        record(catalogue.closeOrphans(after: lastFix), &directives)
        guard regions.window != nil else { return }
        let findings = regions.reconcile(
            entries, last: way.judged, law, &catalogue, driven: way.odometer.reading)
        if routing.isSet { noteHazards() }
        noteRegionsDue()
        record(findings, &directives)
    }

    // MARK: The vehicle

    /// Off arms at the last fix if the vehicle stands there, otherwise as soon as it stands.
    mutating func setIgnition(_ isOn: Bool, at now: Uptime, _ directives: inout [Directive]) {
        guard parking.ignition != isOn else { return }
        var findings = trips.turn(isOn, at: now, after: lastFix, way, settings.trips) {
            [regions] in regions.place
        }
        let judged = way.last?.fix
        parking.turn(
            isOn, at: judged == lastFix ? judged : nil, standingSince: way.standing.since,
            settle: settings.crossing.settle)
        findings.ofVehicle = true
        record(findings, &directives)
    }

    /// Judges every approach again at the last judged fix.
    mutating func change(to vehicle: Vehicle, _ directives: inout [Directive]) {
        guard vehicle != approaches.vehicle else { return }
        let before = law.approaches
        approaches.vehicle = vehicle
        guard let last = way.judged else { return }
        let findings = regions.judgeVehicle(law.approaches, before: before, at: last)
        noteRegionsDue()
        record(findings, &directives)
    }

    // MARK: The route

    /// Takes another route, or none.
    mutating func set(_ route: FollowedRoute?) {
        routing.set(route)
        noteBearing()
        noteRegionsDue()
    }

    mutating func expireRoute(at now: Uptime, _ directives: inout [Directive]) {
        guard let ended = routing.expire(at: now) else { return }
        directives.append(.route(ended))
        noteRegionsDue()
    }

    mutating func noteBearing() {
        routing.noteBearing(way, settings.route, settings.way)
        noteHazards()
    }

    /// Which hazards the vehicle is coming to has changed, perhaps.
    mutating func noteHazards() {
        guard routing.bearing != nil, regions.window != nil else { return }
        routing.note(regions.hazards)
    }

    // MARK: Beacons

    /// Takes an input about beacons. Decisions that fell due before it are made first.
    mutating func takeBeacon(
        _ input: Input, at now: Uptime, _ directives: inout [Directive]
    ) {
        if case .radio(_, let time) = input {
            beacons.clockIsKnown(at: now, as: time, after: lastFix)
        }
        decideBeacons(at: now, &directives)
        let clock = beaconClock
        let findings: [BeaconFinding]
        switch input {
        case .beacons(let regions):
            if catalogue.lacksFences {
                catalogue.orphans += beacons.release(missingIn: regions, clock)
            }
            findings = beacons.monitor(regions, at: now, clock)
            catalogue.orphans = beacons.resume(catalogue.orphans)
        case .sighting(let sighting): findings = beacons.hear(sighting, at: now, clock)
        case .radio(let radio, _): findings = beacons.listen(radio, at: now, clock)
        case .presence(let said, let id):
            findings = beacons.state(said, of: id, at: now, clock)
        default: return
        }
        record(of: findings, &directives)
    }

    /// Makes the decisions that silence or the end of a presence by hand has made due.
    @inline(__always)
    mutating func decideBeacons(at now: Uptime, _ directives: inout [Directive]) {
        guard !beacons.isEmpty else { return }
        record(of: beacons.decide(at: now, hasPosition: hasPosition, beaconClock), &directives)
    }

    private mutating func record(
        of findings: [BeaconFinding], _ directives: inout [Directive]
    ) {
        let fix = hasPosition && !trust.isDoubtful ? lastFix : nil
        record(Findings(findings, at: fix), &directives)
    }

    @inline(__always)
    var hasPosition: Bool { gates.last != nil && !reception.isLost }

    @inline(__always)
    var beaconClock: BeaconClock { beacons.clock(after: gates.last?.fix) }
}
