import Geodesy
import Law
import Model
import Time

/// Sections 13 (the odometer), 11 (Stops) and 15, by arrival; which fences the vehicle is in is taken from
/// the crossings.
struct TripModel {
    struct Told: CustomStringConvertible {
        var began: UTCTime
        var ended: UTCTime
        var reason: EventReason?
        var from: String?
        var to: String?
        var stops: UInt32
        var way: Double
        var gap: Double
        var newPaths: UInt32
        var shown: Double

        var description: String {
            "\(began.iso8601) to \(ended.iso8601) \(reason?.name ?? ""), \(from ?? "") to "
                + "\(to ?? ""), \(stops) stops, \(way) + \(gap) m, \(newPaths) new paths, \(shown) m"
        }

        func `is`(_ event: Event) -> Bool {
            guard let trip = event.trip, let metres = event.way, let odometer = event.odometer
            else { return false }
            return event.stay == ended - began && event.time == ended && event.reason == reason
                && trip.from?.fence == from && trip.to?.fence == to && trip.stops == stops
                && abs(metres.metres - way) < 0.11 && abs(metres.gap - gap) < 0.11
                && metres.newPaths == newPaths && abs(odometer - shown) < 0.11
        }
    }

    private struct Open {
        /// By the clock of arrivals, s.
        var began: Double
        var from: String?
        var reading: (way: Double, gap: Double, newPaths: UInt32)
        var stops: UInt32 = 0
        var isStopped = false
        /// s
        var marked: Double?
    }

    private let stand: Double
    private let every: Double
    private let sizes: [String: Double]
    private var inside: Set<String> = []
    private var ignition: Bool?
    private var open: Open?
    private var told: [Told] = []
    /// What the odometer showed where positions were recorded.
    private var marks: [(time: UTCTime, shown: Double)] = []
    /// How far the receiver's clock is ahead, s.
    private var lead = 0.0
    private var last: TripDrive.Fix?
    /// On the present path, oldest first.
    private var path: [TripDrive.Fix] = []
    private var standing: TripDrive.Fix?
    private var anchor: TripDrive.Fix?
    private var isUnderWay = false
    private var reading: (way: Double, gap: Double, newPaths: UInt32) = (0, 0, 0)

    init(_ drive: TripDrive) {
        every = drive.settings.trips.every.seconds
        stand = drive.settings.trips.stand.seconds
        sizes = Dictionary(
            drive.fences.map { ($0.id, $0.area?.size ?? 0) }, uniquingKeysWith: { $1 })
    }

    mutating func takeTold() -> [Told] {
        defer { told = [] }
        return told
    }

    mutating func takeMarks() -> [(time: UTCTime, shown: Double)] {
        defer { marks = [] }
        return marks
    }

    mutating func turn(_ isOn: Bool, at second: Double, _ events: [Event]) {
        for event in events { cross(event) }
        if let due, due <= second { endUnseen() }
        guard ignition != isOn else { return }
        ignition = isOn
        if !isOn {
            end(at: second)
        } else if open == nil, last != nil {
            open = Open(began: second, from: place, reading: reading)
        }
    }

    /// Takes a report, with which these fixes are accepted.
    mutating func take(_ fixes: [TripDrive.Fix], at second: Double, _ events: [Event]) {
        var rest = events[...]
        let times = Set(fixes.map(\.time))
        while let event = rest.first, !times.contains(event.fixTime) {
            cross(event)
            rest.removeFirst()
        }
        // What a settle timer has decided comes no later.
        if let due, due < second { endUnseen() }
        lead += fixes.reduce(0) { $0 + $1.leap }
        for (index, fix) in fixes.enumerated() {
            judge(fix, isNewPath: last == nil || index == 0 && fix.jumps && fixes.count > 1) {
                while let event = rest.first, event.fixTime == fix.time {
                    $0.cross(event)
                    rest.removeFirst()
                }
            }
        }
    }

    private mutating func cross(_ event: Event) {
        guard let fence = event.fence else { return }
        switch event.kind {
        case .enter, .initial: inside.insert(fence)
        case .exit: inside.remove(fence)
        default: return
        }
    }

    private var place: String? {
        inside.min {
            let (one, other) = (sizes[$0] ?? 0, sizes[$1] ?? 0)
            return one == other ? $0 < $1 : one < other
        }
    }

    // MARK: The law

    private mutating func judge(
        _ fix: TripDrive.Fix, isNewPath: Bool, crossing: (inout TripModel) -> Void
    ) {
        if let due, let last, fix.second > last.second, fix.second >= due { endUnseen() }
        let before = last
        last = fix
        if isNewPath { path = [] }
        path.append(fix)
        stand(at: fix)
        let earlier = reading
        let isGap = before.map { fix.second - $0.second > 30 } ?? false
        drive(to: fix, isNewPath: isNewPath, isGap: isGap)
        let isDriven = reading.way + reading.gap > earlier.way + earlier.gap
        if var trip = open {
            if isDriven {
                if trip.isStopped { trip.stops += 1 }
                trip.isStopped = false
            } else if let standing, fix.second - standing.second >= 60,
                reading.way + reading.gap > trip.reading.way + trip.reading.gap
            {
                trip.isStopped = true
            }
            open = trip
        } else if isDriven, ignition != false, let before {
            open = Open(
                began: isGap || isNewPath ? fix.second : before.second, from: place,
                reading: earlier)
        }
        crossing(&self)
        if every > 0, let trip = open, standing.map({ $0.second == fix.second }) ?? true,
            trip.marked.map({ fix.second - $0 >= every }) ?? true
        {
            open?.marked = fix.second
            marks.append((fix.time, reading.way + reading.gap))
        }
        if let open, let standing {
            let since = max(standing.second, open.began)
            if fix.second - since >= stand { end(at: since) }
        }
    }

    /// When the trip is over without a further fix, s.
    private var due: Double? {
        guard let open, let last, ignition == nil else { return nil }
        let since = max(standing?.second ?? last.second, open.began)
        return max(since + stand, last.second + 12)
    }

    private mutating func endUnseen() {
        guard let open, let last else { return }
        end(
            at: max(standing?.second ?? last.second, open.began),
            standing == nil ? .positionLost : nil)
    }

    private mutating func end(at second: Double, _ reason: EventReason? = nil) {
        guard let trip = open else { return }
        open = nil
        let (way, gap) = (reading.way - trip.reading.way, reading.gap - trip.reading.gap)
        guard way + gap > 0 else { return }
        told.append(
            Told(
                began: TripDrive.time(trip.began, lead), ended: TripDrive.time(second, lead),
                reason: reason, from: trip.from, to: place, stops: trip.stops, way: way,
                gap: gap, newPaths: reading.newPaths - trip.reading.newPaths,
                shown: reading.way + reading.gap))
    }

    private mutating func stand(at fix: TripDrive.Fix) {
        if let speed = fix.speed, speed >= 1.2 {
            standing = nil
        } else if let first = standing {
            if distance(first, fix) > max(10, first.error + fix.error) { standing = fix }
        } else {
            standing = fix
        }
    }

    private mutating func drive(to fix: TripDrive.Fix, isNewPath: Bool, isGap: Bool) {
        guard !isNewPath, let anchor else {
            if anchor != nil { reading.newPaths += 1 }
            (self.anchor, isUnderWay) = (fix, false)
            return
        }
        if let standing, standing.second < fix.second {
            isUnderWay = false
            return
        }
        switch fix.speed {
        case let speed? where speed < 1.2: isUnderWay = false
        case .some: isUnderWay = isUnderWay || isMoving
        case nil: isUnderWay = isMoving
        }
        let metres = distance(anchor, fix)
        guard isUnderWay || metres > max(50, anchor.error + fix.error) else { return }
        if isGap { reading.gap += metres } else { reading.way += metres }
        self.anchor = fix
    }

    /// Section 3: at the last fix it certainly moves.
    private var isMoving: Bool {
        guard path.count > 1, let fix = path.last else { return false }
        if let speed = fix.speed, let other = path[path.count - 2].speed, speed > 3, other > 3 {
            return true
        }
        return path.dropLast().reversed().prefix { fix.second - $0.second <= 10 }.contains {
            distance($0, fix) > $0.error + fix.error
        }
    }

    private func distance(_ one: TripDrive.Fix, _ other: TripDrive.Fix) -> Double {
        SurfacePoint(one.place).distance(to: SurfacePoint(other.place))
    }
}
