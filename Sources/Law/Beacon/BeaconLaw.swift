import Geodesy
import Model
import Time

/// Decides which beacon regions the vehicle is inside: section 10 of the law. A value without I/O
/// and without a clock, like the engine that holds it.
package struct BeaconLaw: Sendable {
    /// Everything that outlives the process.
    struct Memory: Hashable, Sendable {
        var radio = RadioState.deaf
        /// Since when the radio has listened, or has not.
        var radioSince: Uptime?
        /// It has listened at least once, so that it can be lost.
        var hasListened = false
        /// `beacons-lost` has been reported.
        var isLost = false
        /// The odometer of certain movement, m.
        var way = 0.0
        /// Sorted by id as UTF-8 bytes.
        var monitors: [BeaconMonitor] = []
    }

    let settings: BeaconSettings
    var memory = Memory() { didSet { dues.forget() } }
    /// Of the regions as they are in ``memory``.
    var dues = BeaconDues()
    /// The indices of the monitors by their patterns.
    private var places: [BeaconPattern: [Int]] = [:]
    /// The indices of those for which active scanning may be needed.
    private(set) var choosy: [Int] = []
    /// A monitor may not be known to have been outside, see ``learn(at:)``.
    private var hasUnknown = false
    /// The wall clock at a monotonic time, which counts before the first fix.
    private var wallClock: (at: Uptime, time: UTCTime)?
    /// The number of sightings that belong to no region.
    package private(set) var unlisted: UInt64 = 0

    package init(settings: BeaconSettings) { self.settings = settings }

    /// There are no regions.
    package var isEmpty: Bool { memory.monitors.isEmpty }

    /// The radio has not listened for too long.
    package var isLost: Bool { memory.isLost }

    /// The regions, by id.
    package var regions: [BeaconRegion] { memory.monitors.map(\.region) }

    var ear: BeaconEar {
        BeaconEar(
            since: memory.radio.hears ? memory.radioSince : nil,
            isLimited: memory.radio == .limited)
    }

    /// Begins a process: it hears nothing until an input says that the radio listens.
    mutating func start(at now: Uptime) {
        memory.radio = .deaf
        memory.radioSince = now
    }

    /// Restores the memory of a checkpoint, with its regions.
    mutating func resume(_ memory: Memory) {
        self.memory = memory
        index()
    }

    /// Resumes the stays of `regions` that were open when the power was cut. Their rhythm is no
    /// longer known. Returns the stays that belong to no region.
    mutating func resume(_ stays: [OpenStay], _ regions: [BeaconRegion]) -> [OpenStay] {
        _ = monitor(regions, at: .boot, BeaconClock())
        return resume(stays)
    }

    /// The same, of the regions that are monitored.
    mutating func resume(_ stays: [OpenStay]) -> [OpenStay] {
        stays.filter { open in
            guard open.stage == nil, let place = place(of: open.fence),
                memory.monitors[place].region.added <= open.added
            else { return true }
            memory.monitors[place].isKnown = true
            memory.monitors[place].stay = BeaconMonitor.Stay(
                began: open.began, since: .boot, dwellTold: open.dwellTold)
            memory.monitors[place].resumedUntil = open.manualUntil
            return false
        }
    }

    /// Forgets the monitors whose region is not among `regions`; returns their open stays.
    mutating func release(missingIn regions: [BeaconRegion], _ clock: BeaconClock) -> [OpenStay] {
        let present = Set(regions.map { FenceKey($0.id) })
        let gone = memory.monitors.filter { !present.contains(FenceKey($0.region.id)) }
        memory.monitors.removeAll { !present.contains(FenceKey($0.region.id)) }
        index()
        return gone.compactMap { $0.openStay(clock) }
    }

    /// What the receiver's clock shows; `last` is the last accepted fix.
    func clock(after last: Fix?) -> BeaconClock {
        if let last { return BeaconClock(base: (last.arrival, last.time)) }
        return BeaconClock(base: wallClock.map { ($0.at, $0.time) })
    }

    /// The clock is known: a presence by hand from before a power cut keeps its original end.
    mutating func clockIsKnown(at now: Uptime, as time: UTCTime, after last: Fix?) {
        wallClock = (now, time)
        let clock = clock(after: last)
        for index in memory.monitors.indices {
            guard let until = memory.monitors[index].resumedUntil else { continue }
            memory.monitors[index].resumedUntil = nil
            guard memory.monitors[index].stay != nil else { continue }
            memory.monitors[index].manual = .init(
                isInside: true, until: now + (until - clock.time(now)))
        }
    }

    /// The state that must survive a power cut.
    func openStays(_ clock: BeaconClock) -> [OpenStay] {
        memory.monitors.compactMap { $0.openStay(clock) }
    }

    /// Adds path on which the vehicle certainly moves.
    mutating func drive(_ way: Double) { memory.way += way }

    /// Takes the step to a judged fix: adds path on which the vehicle certainly moves, so that the
    /// odometer does not advance for a parked vehicle whose position wanders.
    @inline(__always)
    mutating func note(_ step: WayStep, _ way: inout Way, _ settings: WaySettings) {
        guard !isEmpty, case .path(let path) = step.link,
            way.motion.isMovingAtEitherEnd(settings)
        else { return }
        drive(path.length)
    }

    /// Translates the times of open stays to a new time base.
    mutating func shift(by span: TimeSpan) {
        for index in memory.monitors.indices {
            guard let began = memory.monitors[index].stay?.began else { continue }
            memory.monitors[index].stay?.began = began + span
        }
    }

    private mutating func index() {
        places = [:]
        for (place, monitor) in memory.monitors.enumerated() {
            places[monitor.region.rule.pattern, default: []].append(place)
        }
        choosy = memory.monitors.indices.filter {
            let rule = memory.monitors[$0].region.rule
            return rule.leastRSSI != nil || rule.isCompanion
        }
        hasUnknown = true
    }
}

// MARK: - Inputs

extension BeaconLaw {
    /// Takes a sighting at `now`, which is `time` in the receiver's base.
    mutating func hear(
        _ sighting: BeaconSighting, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard memory.radio.hears else { return [] }
        let hadDues = dues.areKnown
        learn(at: now)
        let found = sighting.identity.patterns.flatMap { places[$0] ?? [] }.sorted()
        if found.isEmpty { unlisted &+= 1 }
        let rssi = sighting.rssi.map(Double.init)
        var findings: [BeaconFinding] = []
        for index in found {
            let counts = memory.monitors[index].hear(
                sighting.identity, rssi: rssi, at: now, way: memory.way, ear, settings)
            guard counts else { continue }
            findings += open(index, at: now, clock)
            if let dwell = memory.monitors[index].dwell(at: now, clock) {
                findings.append(dwell)
            }
        }
        // An opening may have ended a presence by hand of another.
        if hadDues, findings.isEmpty {
            let hasPosition = dues.hasPosition
            let changed = found.map { (place: $0, time: due(at: $0, hasPosition: hasPosition)) }
            dues.set(changed)
        }
        return findings
    }

    /// The radio is something else from now on.
    mutating func listen(
        _ radio: RadioState, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        let before = memory.radio
        guard radio != before else { return [] }
        learn(at: now)
        memory.radio = radio
        // It still listens, in another way: the time so far counts.
        if radio.hears, before.hears { return [] }
        memory.radioSince = now
        guard radio.hears else { return [] }
        memory.hasListened = true
        guard memory.isLost else { return [] }
        memory.isLost = false
        return [BeaconFinding(kind: .beaconsRegained, time: clock.time(now))]
    }

    /// Applies a presence that was set by hand. Ignored for a region that does not exist.
    mutating func state(
        _ said: ManualPresence, of id: String, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard let place = place(of: id) else { return [] }
        let until = now + (said.duration ?? settings.manualFor)
        switch said.presence {
        case .unknown: return takeBack(place, at: now, clock)
        case .inside:
            memory.monitors[place].manual = .init(isInside: true, until: until)
            guard memory.monitors[place].stay == nil else {
                return memory.monitors[place].kept(at: clock.time(now), clock).map { [$0] } ?? []
            }
            memory.monitors[place].isKnown = true
            return [
                memory.monitors[place].open(
                    at: clock.time(now), since: now, reason: .manual, clock)
            ]
        case .outside:
            let exit = memory.monitors[place].close(at: clock.time(now), reason: .manual)
            memory.monitors[place].isKnown = true
            memory.monitors[place].manual = .init(isInside: false, until: until)
            return exit.map { [$0] } ?? []
        }
    }

    /// Replaces the regions of the catalogue; only the first ``BeaconRegion/most`` by id are
    /// monitored.
    mutating func monitor(
        _ regions: [BeaconRegion], at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        var before = Dictionary(memory.monitors.map { (FenceKey($0.region.id), $0) }) { a, _ in a }
        var findings: [BeaconFinding] = []
        let sorted = regions.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        memory.monitors = sorted.prefix(BeaconRegion.most).map { region in
            let old = before.removeValue(forKey: FenceKey(region.id))
            guard var monitor = old, region.added <= monitor.region.added else {
                // Removed, and added again.
                before[FenceKey(region.id)] = old
                return BeaconMonitor(region, since: now)
            }
            guard monitor.region.rule.pattern == region.rule.pattern else {
                let exit = monitor.close(at: clock.time(now), reason: .fenceChanged)
                findings += exit.map { [$0] } ?? []
                return BeaconMonitor(region, since: now)
            }
            monitor.region = region
            return monitor
        }
        index()
        let gone = before.values.sorted {
            $0.region.id.utf8.lexicographicallyPrecedes($1.region.id.utf8)
        }
        for var monitor in gone {
            if let exit = monitor.close(at: clock.time(now), reason: .fenceRemoved) {
                findings.append(exit)
            }
        }
        return findings
    }

    private func place(of id: String) -> Int? {
        let key = FenceKey(id)
        return memory.monitors.firstIndex { FenceKey($0.region.id) == key }
    }

    /// A region that was listened for long enough without an opening was outside before.
    private mutating func learn(at now: Uptime) {
        guard hasUnknown, let listening = ear.since else { return }
        hasUnknown = false
        for index in memory.monitors.indices where !memory.monitors[index].isKnown {
            let since = max(listening, memory.monitors[index].since)
            if now - since > settings.leastPatience {
                memory.monitors[index].isKnown = true
            } else {
                hasUnknown = true
            }
        }
    }
}
