import Geodesy
import Law
import Model
import Time

// What is wrong with the events of a drive, whatever its fences ask for; nil if nothing is.
extension Scenario {
    /// Through a window whose size depends on the seed, against a monitor of every fence.
    /// - Parameter laws: what is wrong with the events themselves.
    func windowFlaw(mostOpen: Int = 1_024, _ laws: ([Event]) -> String?) -> String? {
        let size = [2, 3, 5, 20, 20][Int(seed % 5)]
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: size, mostOpen: mostOpen)
        let sizes = Dictionary(fences.map { ($0.id, $0.area?.size ?? 0) }) { first, _ in first }
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: fences)
        var (windowed, expected): ([Event], [Event]) = ([], [])
        windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(reports, arrivals) {
            for instant in tracker.instants(.report(report), at: arrival) {
                if let flaw = EventLaws.orderFlaw(instant, sizes: sizes) {
                    return "\(self): \(flaw)"
                }
                windowed += instant
            }
            expected += full.handle(report, at: arrival)
        }
        guard windowed == expected else {
            return "\(self), window \(size): \(difference(windowed, expected))"
        }
        return laws(windowed).map { "\(self): \($0)" }
    }

    /// Stopped in order, and restored from its checkpoint, after every input.
    func restoringFlaw() -> String? {
        let expected = Exactness.events(self, size: 5)
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: 5)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (report, arrival) in zip(reports, arrivals) {
            events += tracker.events(.report(report), at: arrival, committingTo: store)
            guard tracker.engine.hasCheckpoint else { continue }
            guard let restored = tracker.restored(from: store) else {
                return "\(self): the checkpoint cannot be read"
            }
            tracker = restored
            events += tracker.events(.start, at: arrival, committingTo: store)
        }
        guard events != expected else { return nil }
        return "\(self): \(difference(events, expected))"
    }

    /// With power cuts on the way, by chance after one report in five.
    func powerCutFlaw() -> String? {
        var random = SeededRandom(seed: seed)
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: 5)
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (report, arrival) in zip(reports, arrivals) {
            _ = tracker.events(.report(report), at: arrival, committingTo: store)
            guard random.integer(0..<5) == 0 else { continue }
            var engine = Engine(
                settings: tracker.engine.settings, generation: store.generation,
                known: store.known, stays: store.openStays,
                entries: store.entries(ids: store.openStays.map(\.fence)),
                isPositionLost: store.positionLost, driven: store.driven)
            if let vehicle = store.vehicle { engine.resume(vehicle: vehicle) }
            engine.resume(arriving: store.arriving)
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: arrival, committingTo: store)
        }
        return EventLaws.alternationFlaw(store.log.map(\.event)).map { "\(self): \($0)" }
    }
}
