import Geodesy
import Law
import Model
import Time

/// Section 15 of the law, worked again from the handbook alone.
package enum Trips {
    package static let told = Property(
        "trips are those of a monitor of all fences that was written from the handbook"
    ) { seed in
        flaw(TripDrive(seed)) { _ in }
    }

    package static let powerCut = Property(
        "after power cuts no trip is told twice, and all of them are what was driven"
    ) { seed in
        let drive = TripDrive(seed, withIgnition: false)
        var random = SeededRandom(seed: seed ^ 0x9077)
        let store = MemoryFenceStore(drive.fences)
        var tracker = drive.tracker(store)
        var seen: UTCTime?
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (input, second) in drive.inputs {
            let now = TripDrive.uptime(second)
            _ = tracker.events(input, at: now, committingTo: store)
            // The position is stored at most once a minute.
            if let time = tracker.engine.lastFix?.time, random.chance(0.03) || seen == nil {
                seen = time
            }
            guard random.chance(0.004) else { continue }
            var engine = Engine(
                settings: drive.settings, generation: store.generation, known: store.known,
                stays: store.openStays, entries: store.entries(ids: store.openStays.map(\.fence)),
                isPositionLost: store.positionLost, driven: store.driven)
            if let vehicle = store.vehicle { engine.resume(vehicle: vehicle, seen: seen) }
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: now, committingTo: store)
        }
        let trips = store.log.map(\.event).filter { $0.kind == .trip }
        var (driven, odometer) = (0.0, 0.0)
        for trip in trips {
            guard trip.trip != nil, let way = trip.way, let shown = trip.odometer,
                let length = trip.stay
            else { return "without details: \(trip)" }
            guard length >= .zero else { return "ends before it begins: \(trip)" }
            driven += way.metres + way.gap
            guard shown >= odometer else { return "the odometer has gone back: \(trip)" }
            odometer = shown
            // Each is rounded twice.
            guard abs(driven - odometer) < 0.2 * Double(trips.count) else {
                return "\(driven) m of trips, \(odometer) m of the odometer: \(trip)"
            }
        }
        return nil
    }

    /// How often each end, and each part of a trip, occurs on these drives.
    package static func occurrences(in seeds: Range<UInt64>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            _ = flaw(TripDrive(seed)) { event in
                counts[event.reason?.name ?? "ended", default: 0] += 1
                if event.trip?.from != nil { counts["from", default: 0] += 1 }
                if event.trip?.to != nil { counts["to", default: 0] += 1 }
                if (event.trip?.stops ?? 0) > 0 { counts["stops", default: 0] += 1 }
                if (event.way?.gap ?? 0) > 0 { counts["gap", default: 0] += 1 }
                if (event.way?.newPaths ?? 0) > 0 { counts["new paths", default: 0] += 1 }
            }
        }
        return counts
    }

    /// Against the model, killed now and then.
    private static func flaw(_ drive: TripDrive, _ note: (Event) -> Void) -> String? {
        var random = SeededRandom(seed: drive.seed ^ 0x717)
        let store = MemoryFenceStore(drive.fences)
        var tracker = drive.tracker(store)
        var model = TripModel(drive)
        var waiting: [TripDrive.Fix] = []
        var kept: EngineCheckpoint?
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (index, (input, second)) in drive.inputs.enumerated() {
            let now = TripDrive.uptime(second)
            let before = tracker.engine.lastFix
            let outcome = tracker.handle(input, at: now)
            let events = outcome.instants(committingTo: store).flatMap(\.self)
            switch input {
            case .ignition(let isOn): model.turn(isOn, at: second, events)
            case .report:
                guard let fix = drive.fixes[index] else { break }
                waiting.append(fix)
                let isAccepted = tracker.engine.lastFix != before
                model.take(isAccepted ? waiting : [], at: second, events)
                if isAccepted { waiting = [] }
            default: break
            }
            let found = events.filter { $0.kind == .trip }
            found.forEach(note)
            let expected = model.takeTold()
            guard found.count == expected.count, zip(found, expected).allSatisfy({ $1.is($0) })
            else {
                return "\(drive), window \(drive.size), at \(second) s: \(found), "
                    + "expected \(expected)"
            }
            let marks = model.takeMarks()
            let recorded = events.filter { $0.kind == .position }
            guard recorded.count == marks.count,
                zip(recorded, marks).allSatisfy({
                    $0.time == $1.time && !$0.announced && $0.coordinate != nil
                        && abs(($0.odometer ?? -1) - $1.shown) < 0.11
                })
            else {
                return "\(drive), window \(drive.size), at \(second) s: \(recorded), "
                    + "expected \(marks)"
            }
            if case .report(let report) = input, outcome.isUneventful, kept != nil {
                kept?.reports.append(EngineCheckpoint.Report(report, at: now))
            } else {
                kept = tracker.engine.checkpoint
            }
            guard random.chance(drive.killing), let checkpoint = kept else { continue }
            let engine = Engine(
                settings: drive.settings, generation: store.generation, checkpoint: checkpoint,
                entries: store.entries(ids: checkpoint.fenceIDs), stays: store.openStays)
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: now, committingTo: store)
            kept = tracker.engine.checkpoint
        }
        return nil
    }
}
