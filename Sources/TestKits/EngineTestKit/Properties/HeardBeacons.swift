import Law
import Model
import Time

/// Beacons that are heard at random from a vehicle that drives and stands, with a radio that fails
/// and a process that is killed: every event is justified by the reason that it states.
package enum HeardBeacons {
    package static let law = Property("a stay needs two sightings, an exit silence and 50 m") {
        flaw(seed: $0)
    }

    /// The model of one region.
    private struct Known {
        var heard: [Double] = []
        /// Way at the last sighting, m.
        var way = 0.0
    }

    private static let names = ["near", "far"]

    private static func flaw(seed: UInt64) -> String? {
        var random = SeededRandom(seed: seed)
        let regions = [
            BeaconDrive.region(names[0], minor: 1), BeaconDrive.region(names[1], minor: 2),
        ]
        var drive = BeaconDrive(regions)
        var known = [Known](repeating: Known(), count: 2)
        let interval = random.uniform(0.1...10)
        var listens = true
        // When the radio began to listen, s.
        var since = drive.time
        for _ in 0..<60 {
            let seen = drive.events.count
            switch random.integer(0..<12) {
            case 0:
                listens.toggle()
                drive.radio(listens ? .listening : .deaf)
                if listens { since = drive.time }
            case 1 where drive.tracker.engine.hasCheckpoint:
                drive.kill(for: random.uniform(0.1...20), regions: regions)
                listens = true
                drive.radio(.listening)
                since = drive.time
            default: break
            }
            let speed = random.chance(0.4) ? 0 : random.uniform(5...25)
            let chances = [random.unit(), random.unit()]
            let end = drive.time + random.uniform(5...200)
            if let flaw = check(drive, seen, known, since, listens) { return flaw }
            while drive.time < end {
                let before = drive.events.count
                drive.pass(interval, speed: speed)
                if let flaw = check(drive, before, known, since, listens) { return flaw }
                for index in 0..<2 where random.chance(chances[index]) {
                    let before = drive.events.count
                    drive.hear(UInt16(index + 1))
                    if listens {
                        known[index].heard.append(drive.time)
                        known[index].way = drive.way
                    }
                    if let flaw = check(drive, before, known, since, listens) { return flaw }
                }
            }
        }
        return EventLaws.alternationFlaw(drive.events)
    }

    /// What is wrong with the events from number `first` on.
    private static func check(
        _ drive: BeaconDrive, _ first: Int, _ known: [Known], _ since: Double, _ listens: Bool
    ) -> String? {
        for event in drive.events[first...] {
            guard let index = names.firstIndex(where: { $0 == event.fence }) else { continue }
            guard listens else { return "by a deaf radio: \(event)" }
            let beacon = known[index]
            switch event.kind {
            case .enter, .initial:
                let last = beacon.heard.suffix(2)
                guard last.count == 2, last[last.endIndex - 1] - last[last.startIndex] <= 15,
                    (drive.time(of: event) - last[last.startIndex]).magnitude < 1e-6
                else { return "opened by \(last): \(event)" }
            case .exit:
                guard let last = beacon.heard.last else { return "never heard: \(event)" }
                guard drive.time - max(last, since) > 30 else { return "not silent: \(event)" }
                // The metres of the drive are of a sphere; on the ellipsoid these are 0.3 % more.
                guard (drive.way - beacon.way) * 1.003 > 49.9 else {
                    return "it has not moved: \(event)"
                }
                guard (drive.time(of: event) - last).magnitude < 1e-6 else {
                    return "not at the last sighting \(last): \(event)"
                }
            default: return "of no beacon: \(event)"
            }
        }
        return nil
    }
}
