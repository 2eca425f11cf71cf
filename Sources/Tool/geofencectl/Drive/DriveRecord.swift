import Bytes
import Geodesy
import Law
import Model
import Program
import Time

/// A drive as a replay saw it: what the map, the plots and the files for other programs are made
/// of. Everything in the order of knowing.
struct DriveRecord {
    /// A fix that did not count.
    struct Refused {
        /// Monotonic time of the replay.
        var arrival: Uptime
        var coordinate: Coordinate
        /// m; nil where the source states none.
        var error: Double?
        var reason: Refusal
    }

    /// The window from a fix on.
    struct Window {
        /// Index of the first fix for which it stands.
        var fix: Int
        var anchor: Coordinate
        /// m; nil when the whole catalogue is in it.
        var metafenceRadius: Double?
        /// Indices into ``DriveRecord/fences``, in the order of the window.
        var regions: [Int]
    }

    /// What lies ahead from a fix on.
    struct Hazards {
        var fix: Int
        /// Nearest first.
        var ahead: [Ahead]
    }

    /// An event, and what proved it.
    struct Happening {
        var logged: LoggedEvent
        /// Index of the fix that proved it; nil before the first one.
        var fix: Int?
        /// Index into ``DriveRecord/fences``.
        var fence: Int?
    }

    var fixes: [Fix] = []
    /// Indices of fixes that no segment joins to the one before.
    var pathStarts: [Int] = []
    var refused: [Refused] = []
    /// Refused fixes that are not in ``refused``, for there are too many.
    var refusedLeftOut = 0
    var windows: [Window] = []
    var hazards: [Hazards] = []
    var happenings: [Happening] = []
    /// Every fence that was in a window or has an event.
    var fences: [Fence] = []
    private var indices: [ExactText: Int] = [:]

    /// The most refused fixes that are kept.
    static let mostRefused = 10_000
    /// The most accepted fixes: four days and nights at 1 Hz.
    static let mostFixes = 400_000
    /// The most events.
    static let mostEvents = 100_000
    /// The most fences that are kept.
    static let mostFences = 20_000

    /// The index of that fence, which is kept from now on.
    /// - Throws: ``Failure`` where there are too many.
    mutating func index(of fence: Fence) throws -> Int {
        if let index = indices[fence.id] { return index }
        guard fences.count < Self.mostFences else {
            throw Failure(
                "more than \(Self.mostFences) fences along the drive; replay a part of it")
        }
        indices[fence.id] = fences.count
        fences.append(fence)
        return fences.count - 1
    }

    /// The index of the fence of that id; nil where it was never near.
    func index(of id: String) -> Int? { indices[id] }

    /// The fix at that receiver time, or the last before it that has one; nil where there is none.
    /// From the end: a re-base may have used a time twice.
    func fix(at time: UTCTime) -> Int? {
        fixes.indices.last { fixes[$0].time == time } ?? fixes.indices.last
    }
}

/// Runs a replay, and records what it does.
struct DriveRecorder {
    private(set) var record = DriveRecord()
    private var windowIDs: [String] = []
    private var lastAhead: [Ahead] = []
    /// Finds a fence by id: one that was passed between two fixes was never in a window.
    private let fence: (String) throws -> Fence?

    init(fence: @escaping (String) throws -> Fence?) { self.fence = fence }

    /// Gives the next report to the replay.
    /// - Returns: its events, and what became of the report.
    /// - Throws: ``Failure`` when the drive is too long for one page.
    mutating func record(
        _ report: PositionReport, _ replay: inout Replay
    ) throws -> (events: [LoggedEvent], verdict: ReportVerdict) {
        let (events, verdict) = replay.judge(report)
        note(report, verdict, at: replay.now)
        guard record.fixes.count <= DriveRecord.mostFixes else {
            throw Failure(
                "more than \(DriveRecord.mostFixes) fixes, which is too much for one page")
        }
        try noteWindow(replay.engine)
        noteHazards(replay.engine)
        for event in events { try note(event) }
        return (events, verdict)
    }

    /// The recording is over.
    mutating func finish(_ replay: Replay) {
        for dropped in replay.doubted { note(dropped) }
    }

    private mutating func note(
        _ report: PositionReport, _ verdict: ReportVerdict, at now: Uptime
    ) {
        for dropped in verdict.dropped { note(dropped) }
        if verdict.isNewPath { record.pathStarts.append(record.fixes.count) }
        record.fixes += verdict.accepted
        if case .refused(let reason) = verdict.fate, let coordinate = report.coordinate,
            coordinate.isValid
        {
            note(
                DriveRecord.Refused(
                    arrival: now, coordinate: coordinate, error: report.error, reason: reason))
        }
    }

    private mutating func note(_ dropped: ReportVerdict.Dropped) {
        note(
            DriveRecord.Refused(
                arrival: dropped.fix.arrival, coordinate: dropped.fix.coordinate,
                error: dropped.fix.error, reason: dropped.reason))
    }

    private mutating func note(_ refused: DriveRecord.Refused) {
        guard record.refused.count < DriveRecord.mostRefused else {
            record.refusedLeftOut += 1
            return
        }
        record.refused.append(refused)
    }

    private mutating func noteWindow(_ engine: Engine) throws {
        guard let window = engine.window, !record.fixes.isEmpty else { return }
        let ids = window.regions.map(\.entry.id)
        if let last = record.windows.last, last.anchor == window.anchor.coordinate,
            last.metafenceRadius == window.metafenceRadius, ids == windowIDs
        {
            return
        }
        windowIDs = ids
        let regions = try window.regions.map { try record.index(of: $0.entry.fence) }
        record.windows.append(
            DriveRecord.Window(
                fix: record.fixes.count - 1, anchor: window.anchor.coordinate,
                metafenceRadius: window.metafenceRadius, regions: regions))
    }

    private mutating func noteHazards(_ engine: Engine) {
        let ahead = engine.ahead
        guard ahead != lastAhead, !record.fixes.isEmpty else { return }
        lastAhead = ahead
        record.hazards.append(DriveRecord.Hazards(fix: record.fixes.count - 1, ahead: ahead))
    }

    private mutating func note(_ logged: LoggedEvent) throws {
        let event = logged.event
        var happening = DriveRecord.Happening(
            logged: logged, fix: record.fix(at: event.fixTime))
        if let id = event.fence {
            happening.fence = try record.index(of: id) ?? fence(id).map { try record.index(of: $0) }
        }
        guard record.happenings.count < DriveRecord.mostEvents else {
            throw Failure(
                "more than \(DriveRecord.mostEvents) events, which is too much for one page")
        }
        record.happenings.append(happening)
    }
}
