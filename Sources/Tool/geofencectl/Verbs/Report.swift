import BusClient
import Bytes
import Geodesy
import Geofence1
import JSON
import Law
import Model
import Program
import Reports
import Time

extension Verb {
    static let report = Verb(
        "report", summary: "the stays at places, or the trips, from the event log",
        details: """
            Each stay that ended at --since or after it, and those that are not over, in order of
            their ends: place, when it began, when it ended, how long it was, or has been up to
            the last fix, and how far the vehicle was driven inside. A stay whose beginning the
            log no longer has is there as well, for its exit says how long it was. The driver is
            the one with whom it ended, for callers that may read the position.
            With --by place, day or driver the sums of those that are over, of each place, of each
            day on which they ended, or of each driver. With --by jurisdiction how far the vehicle
            was driven in each area of the set that --origin names, from --since on, and outside of
            all of them: together the whole way. Where areas overlap, the smallest one counts.
            With --by trip each trip that ended at --since or after it, if [Trips] Record= of
            geofenced.conf(5) is set: when it began and ended, the smallest fences in which it did,
            how long and how far it was, the stops, and the driver.
            Times are UTC, such as 2026-11-20 or 2026-11-20T07:14:03Z.
            Formats: table (the default); csv; json, as with --json; html, a page to print, with
            sums, without scripts and without anything from elsewhere.
            """,
        options: [
            OptionRule("since", value: "FROM", "only what ended at this time or after it"),
            OptionRule(
                "place", value: "ID", repeats: true, "only this fence; trips from it or to it"),
            OptionRule(
                "by", value: "WHAT", "sums, by place, day, driver or jurisdiction; or each trip",
                completion: .words(
                    StaySums.Key.allCases.map(\.rawValue) + ["jurisdiction", "trip"])),
            .origin("the set of areas of --by jurisdiction"),
            OptionRule(
                "format", value: "FORMAT", "table, csv, json or html",
                completion: .words(Report.allCases.map(\.rawValue))),
        ], run: runReport)
}

@MainActor
private func runReport(_ invocation: Invocation) throws {
    let since = try EventSelection.time(invocation, "since")
    let places = Set(exactly: invocation.values("place"))
    let word = invocation.value("by")
    let form = try invocation.reportForm
    if word == "jurisdiction" { return try runJurisdictions(invocation, form, since: since) }
    if word == "trip" {
        var rows = TripRows(since: since, places: places)
        try forEachEvent(of: [], DaemonClient(invocation)) { rows.add($0) }
        return try form.print(rows.sheet, since: since)
    }
    let key = try word.map { word in
        guard let key = StaySums.Key(rawValue: word) else {
            throw Failure.usage("not place, day, driver, jurisdiction or trip", "--by \(word)")
        }
        return key
    }
    let daemon = try DaemonClient(invocation)
    var stays = Stays()
    try forEachEvent(of: places.sorted().map(\.text), daemon) { stays.add($0) }
    // A place that the log does not know may still be a fence where the vehicle has not been.
    for place in places.subtracting(stays.places).sorted() { _ = try daemon.fence(place.text) }
    // What the log says may have been overtaken: a fence that is gone, a position that is lost.
    let present =
        stays.open.isEmpty ? [:] : try daemon.states(of: stays.open.keys.sorted().map(\.text))
    let now = try daemon.status()[.lastFix] ?? UTCTime(microseconds: 0)
    let all = stays.ended + stays.present(at: now) { present[$0]?.presence.presence == .inside }
    let wanted = all.filter { stay in
        (places.isEmpty || places.contains(stay.fence))
            && (stay.left.map { left in since.map { left >= $0 } ?? true } ?? true)
    }
    guard let key else { return try form.print(Sheet(wanted), since: since) }
    var sums = StaySums(by: key)
    for stay in wanted {
        guard let left = stay.left else { continue }
        sums.add(
            place: (stay.fence, stay.title), left: left.iso8601, driver: stay.driver,
            length: stay.length ?? .zero, stay.metres)
    }
    try form.print(sums.sheet, since: since)
}

@MainActor
private func runJurisdictions(_ invocation: Invocation, _ form: Report, since: UTCTime?) throws {
    guard let origin = try invocation.origin else {
        throw Failure.usage("needs the set of areas: --origin NAME", "--by jurisdiction")
    }
    guard invocation.values("place").isEmpty else {
        throw Failure.usage("does not go with --by jurisdiction", "--place")
    }
    let daemon = try DaemonClient(invocation)
    var areas: JurisdictionSums.Areas = [:]
    try daemon.forEachPage(of: origin) { page in
        for known in page {
            guard let area = known.fence.area else { continue }
            areas[known.fence.id] = .init(title: known.fence.title, size: area.size)
        }
    }
    guard !areas.isEmpty else { throw Failure("no areas of \(origin.text)") }
    func counts(_ time: UTCTime) -> Bool { since.map { $0 <= time } ?? true }
    var readings: [JurisdictionSums.Reading] = []
    try forEachEvent(of: [], daemon) { logged in
        let event = logged.event
        guard let metres = event.odometer else { return }
        readings.append(
            .init(
                metres: metres, counts: counts(event.time),
                JurisdictionSums.Reading.crossing(event.kind.name, event.fence)))
    }
    let status = try daemon.status()
    var sums = JurisdictionSums(of: areas)
    // The first of all events is there: nothing was driven before the odometer began.
    sums.add(
        readings, from: status[.oldestSeq] <= 1 ? 0 : nil,
        now: status[.odometer].map {
            ($0, counts(status[.lastFix] ?? UTCTime(microseconds: 0)))
        })
    try form.print(sums.sheet, since: since)
}

/// Calls `body` with each event of the log, in its order.
/// - Parameter fences: of these alone; empty: all of them.
@MainActor
private func forEachEvent(
    of fences: [String], _ daemon: DaemonClient, _ body: (LoggedEvent) -> Void
) throws {
    var seq: UInt64 = 0
    while true {
        let page = try daemon.events(after: seq, of: fences)
        page.events.forEach(body)
        seq = page.next
        guard !page.events.isEmpty else { return }
    }
}

/// One stay at a place.
struct Stay {
    var fence: String
    var title: String
    var entered: UTCTime?
    /// Nil: it is not over.
    var left: UTCTime?
    /// Nil where its beginning is unknown.
    var length: TimeSpan?
    /// No fix bears witness of one of its ends.
    var inferred: Bool
    /// How far the vehicle was driven inside; nil where it is not over, or nothing was counted.
    var way: WayDetails?
    var metres: StayMetres { StayMetres(way) }
    /// Who drove when it ended; nil where it is not over, nobody was set, or that is not to be known.
    var driver: String?
}

/// Pairs the events of a log.
private struct Stays {
    private(set) var ended: [Stay] = []
    /// By fence: the event with which the stay that is not over began.
    private(set) var open: [ExactText: Event] = [:]

    /// The ids of all fences that the log has events of.
    private(set) var places: Set<ExactText> = []

    mutating func add(_ logged: LoggedEvent) {
        let event = logged.event
        guard let fence = event.fence else { return }
        places.add(fence)
        switch event.kind {
        case .enter, .initial: open[fence] = event
        case .exit:
            let beginning = open.removeValue(forKey: fence)
            let length = event.stay ?? beginning.map { event.time - $0.time }
            ended.append(
                Stay(
                    fence: fence, title: event.title,
                    entered: length.map { event.time + (.zero - $0) } ?? beginning?.time,
                    left: event.time, length: length,
                    inferred: event.inferred || beginning?.inferred ?? false, way: event.way,
                    driver: logged.driver))
        default: return
        }
    }

    /// Those that are not over, in order of their beginning.
    /// - Parameter now: the time of the last fix.
    func present(at now: UTCTime, _ isInside: (String) -> Bool) -> [Stay] {
        open.filter { isInside($0.key.text) }.sorted { $0.value.time < $1.value.time }.map {
            let entered = $0.value.time
            return Stay(
                fence: $0.key.text, title: $0.value.title, entered: entered, left: nil,
                length: now > entered ? now - entered : nil, inferred: $0.value.inferred)
        }
    }
}
