package import Model
package import Time

// What the daemon and its tests ask of the engine between inputs, and with what it goes on.
extension Engine {
    /// By which the regions are judged.
    @inline(__always)
    var law: LawNumbers {
        var rules = ApproachRules(settings: settings.approach, vehicle: approaches.vehicle)
        if let bearing = routing.bearing { rules.route = bearing }
        return LawNumbers(crossing: settings.crossing, approaches: rules)
    }

    /// To be answered with `answer` or `storeFailed` before anything else is done.
    @inline(__always)
    package var question: StoreQuery? { queue.question }

    /// The input that was answered with this has changed nothing but the engine, and without the
    /// store: an engine from the checkpoint of before comes to the same by taking it again. A
    /// heartbeat that does not re-centre is only told.
    @inline(__always)
    func isUneventful(_ directives: [Directive]) -> Bool {
        guard queue.works.isEmpty else { return false }
        return directives.allSatisfy {
            switch $0 {
            case .wake, .heartbeat: true
            case .record, .windowChanged, .windowGrew, .windowFull, .route: false
            }
        }
    }

    // MARK: The position

    /// The last accepted fix.
    package var lastFix: Fix? { gates.last?.fix }

    /// How often the source gives a fix: P of section 2; nil where there is none.
    package var pace: TimeSpan? { way.pace.median }

    /// Number of re-bases so far.
    package var rebases: Int { gates.rebases }

    /// Accepted and refused fixes.
    package var counters: GateCounters { gates.counters }

    /// No accepted fix for too long.
    package var isPositionLost: Bool { reception.isLost }

    /// The position is not believed at present.
    package var isPositionDoubtful: Bool { trust.isDoubtful }

    /// The presences are those of the last fix that was believed: there has been none for too long.
    package var isPositionUncertain: Bool { isPositionLost || isPositionDoubtful }

    /// What the monotonic clock showed at `time`, in the present time base; nil before the first
    /// fix.
    package func uptime(at time: UTCTime) -> Uptime? {
        lastFix.map { $0.arrival + (time - $0.time) }
    }

    /// Would this report be accepted now, at once? For ``ReplayClock``.
    package func accepts(_ report: PositionReport, at now: Uptime) -> Bool {
        var trial = gates
        switch trial.judge(report, at: now) {
        case .accepted, .released: return true
        case .refused, .repeated, .held: return false
        }
    }

    /// The assumed arrival of a report that has waited for this process: a time in `interval`, from
    /// when the process last read its source until now. It is the one at which the report's delay
    /// is nearest to the least delay of the window, so that only a report that was late before it
    /// came to this machine is ``Refusal/stale``.
    package func likelyArrival(
        of report: PositionReport, in interval: ClosedRange<Uptime>
    ) -> Uptime {
        guard let time = report.time, let last = lastFix,
            let least = gates.delays.samples.first?.delay
        else { return interval.upperBound }
        let likely = Uptime(nanoseconds: time.nanoseconds) + least
        return min(max(likely, interval.lowerBound, last.arrival), interval.upperBound)
    }

    // MARK: The vehicle

    /// As it travels now.
    package var vehicle: Vehicle { approaches.vehicle }

    /// How far it has been driven.
    package var odometer: Odometer { way.odometer }

    /// What is kept of it beside its stays.
    package var vehicleRecord: VehicleRecord {
        VehicleRecord(parking: parking, doubted: trust.doubt?.old, trip: trips.open)
    }

    /// Whether the receiver may sleep now.
    package var isResting: Bool { reception.isResting }

    /// Whether nothing is missed if the receiver sleeps: the vehicle has stood for that long where
    /// its ignition was switched off, no fence waits for a fix, and no fix is held back.
    package func mayRest(after span: TimeSpan) -> Bool {
        guard let last = way.last?.fix, gates.last?.fix == last, gates.held.isEmpty,
            gates.strays.isEmpty, queue.works.isEmpty, let place = parking.place,
            parking.leaving == nil, way.standing.since != nil, last.time - place.time >= span
        else { return false }
        return regions.mayRest
    }

    /// The route that counts; nil without one, and once it has ended.
    package var route: FollowedRoute? { routing.following }

    /// The hazards that the vehicle is coming to and does not fit: see ``Regions/ahead(_:at:)``.
    package var ahead: [Ahead] {
        way.last.map { regions.ahead(law.approaches, at: $0.fix.time) } ?? []
    }

    // MARK: Fences

    /// What the engine has composed; nil before the first accepted fix.
    package var window: Window? { regions.window }

    /// Whether a fence of the window is a hazard that can be approached.
    package var hasHazardInWindow: Bool { regions.hasHazard }

    /// The latest generation of the catalogue that the engine has been given.
    package var generation: Generation { catalogue.generation }

    /// Fences that have ended, as long as they may be in the catalogue.
    package var spent: Set<SpentFence> { catalogue.spent }

    /// Fences that were accepted are not in the catalogue, and may come back. To be given to each
    /// engine that is made.
    package var lacksFences: Bool {
        get { catalogue.lacksFences }
        set { catalogue.lacksFences = newValue }
    }

    /// Those of which this is so for each, see ``FenceStore/heldFences``. To be given likewise.
    package var heldFences: Set<FenceKey> {
        get { catalogue.heldFences }
        set { catalogue.heldFences = newValue }
    }

    /// One of the fences in which a stay is open, and which are not in the catalogue, but for those that
    /// are held.
    package var missing: String? { catalogue.missing }

    /// Where the vehicle is with respect to a fence of the catalogue, in the window or not: a fence
    /// outside the window was outside when it was last judged.
    package func presence(of entry: CatalogueEntry) -> Presence {
        if let monitor = regions.monitor(of: entry) { return monitor.presence }
        return entry.added > catalogue.known ? .unknown : .outside
    }

    /// When the open stay in that fence began, in the present time base; nil outside of it.
    package func stayBegan(in entry: CatalogueEntry) -> UTCTime? {
        guard case .crossing(.inside(let stay))? = regions.monitor(of: entry)?.machine else {
            return nil
        }
        return stay.began
    }

    /// See ``doubtStays()``: until the first judged fix.
    package var doubtsStays: Bool { catalogue.doubtsStays }

    // MARK: Going on

    /// Goes on with arrivals that were told when the power was cut, and since when.
    package mutating func resume(arriving: [(entry: CatalogueEntry, told: UTCTime)]) {
        regions.add(
            arriving.map { entry, told in
                var monitor = RegionMonitor(entry, .crossing(.outside(nil)))
                monitor.arrival = Arrival(toldAt: told)
                return monitor
            })
    }

    /// Goes on with the fences that had ended before the process did.
    package mutating func resume(spent fences: [SpentFence]) { catalogue.spent.formUnion(fences) }

    /// Goes on with what was stored of the vehicle before a power cut.
    /// - Parameter seen: the receiver time of the last position that was stored.
    package mutating func resume(vehicle stored: VehicleRecord, seen: UTCTime? = nil) {
        parking = stored.parking
        trips.open = stored.trip
        if let began = stored.trip?.began { trips.open?.seen = max(seen ?? began, began) }
        trust.resume(doubtAfter: stored.doubted)
    }

    /// Goes on with a route of this boot; to be given to an engine that is made without a checkpoint.
    package mutating func resume(route: FollowedRoute?) { set(route) }

    /// The stays that this engine has been made with may be over, and others may have begun, and that has
    /// been told: those of fences that the vehicle is certainly outside of at the first judged fix end
    /// there without an event, and so does what was said of hazards; others that it is inside of are
    /// found like new ones, with no crossing seen.
    package mutating func doubtStays() { catalogue.doubtsStays = true }

    /// What a log is to be given that may lack it: how things stand now, in place of `stays`.
    package func standing(insteadOf stays: [OpenStay]) -> EventRecord {
        let open = regions.openStays + beacons.openStays(beaconClock) + catalogue.orphans
        let present = Set(open.map { FenceKey($0.fence) })
        var record = EventRecord(
            events: [], opened: open,
            closed: stays.map(\.fence).filter { !present.contains(FenceKey($0)) },
            known: catalogue.known, positionLost: reception.isLost)
        record.vehicle = vehicleRecord
        record.spent = spent.sorted { $0.added < $1.added }
        record.driven = way.odometer.reading
        return record
    }
}
