import Geodesy
import Model
import Time

// Fixes of another time base: of a receiver that was reset, that learns the leap seconds, of a
// second one, or of a single wrong report. One costs nothing but itself; those that agree among
// themselves are the time from then on.
extension Gates {
    /// How the receiver time of a fix relates to that of the last accepted one.
    enum Timing {
        case onTime
        case repeated
        /// Of another time base. `isFar`: beyond what a delay can explain.
        case stray(Refusal, isFar: Bool)
    }

    /// Nothing reaches this machine earlier than the quickest fix of the last minute by this.
    private static let earlyLimit = TimeSpan.milliseconds(500)
    /// By how much the delays of fixes of one time base may differ while they prove it.
    private static let agreement = TimeSpan.milliseconds(500)
    /// How long they must agree: what was held up arrives at once, what is on time does not.
    private static let leastSpan = TimeSpan.seconds(1)
    /// How many are kept: a second of two receivers at 25 Hz.
    private static let strayLimit = 64

    // Inlined: a call of a method that does not change the gates would copy them first.
    @inline(__always)
    func time(of fix: Fix, after last: Fix) -> Timing {
        let elapsed = fix.time - last.time
        if elapsed == .zero { return .repeated }
        if settings.arrivalIsDerived {
            guard elapsed < .zero else { return .onTime }
            return .stray(.outOfOrder, isFar: -elapsed > settings.rebaseLimit)
        }
        let lead = elapsed - (fix.arrival - last.arrival)
        if elapsed < .zero || lead > settings.rebaseLimit {
            let isFar = -elapsed > settings.rebaseLimit || lead > settings.rebaseLimit
            return .stray(.outOfOrder, isFar: isFar)
        }
        guard let least = delays.least(at: fix.arrival, window: settings.staleWindow) else {
            return .onTime
        }
        // One fix alone proves no least delay.
        if least - fix.delay >= Self.earlyLimit, counters.accepted > 1 {
            return .stray(.outOfOrder, isFar: false)
        }
        if fix.delay - least > settings.staleLimit { return .stray(.stale, isFar: false) }
        return .onTime
    }

    /// Of a fix that is on time. Without a least delay time runs fast, until a fix has as much delay as
    /// the last: so it may after the first two, or a hole.
    @inline(__always)
    mutating func noteDelay(of fix: Fix, after last: Fix) {
        if let least = delays.samples.first?.delay, least - fix.delay >= Self.earlyLimit {
            delays = LeastDelay()
        } else if !delays.samples.isEmpty || fix.delay >= last.delay {
            _ = delays.note(fix.delay, at: fix.arrival, window: settings.staleWindow)
        }
    }

    /// Whether a fix that seems on time, but too far away, has an earlier time than it should: a
    /// vehicle can have come there in the time between the arrivals.
    func isStray(_ fix: Fix, at point: SurfacePoint, after last: Standing) -> Bool {
        let elapsed = fix.arrival - last.fix.arrival
        return !settings.arrivalIsDerived
            && elapsed - (fix.time - last.fix.time) > Self.agreement
            && isPlausible(fix, at: point, after: last, in: elapsed)
    }

    /// Why a stray did not count, while no other fix has been accepted.
    func reason(of stray: Fix) -> Refusal {
        guard let last, stray.time >= last.fix.time else { return .outOfOrder }
        if stray.time == last.fix.time { return .duplicate }
        let least = delays.samples.first?.delay ?? last.fix.delay
        return stray.delay - least > settings.staleLimit ? .stale : .outOfOrder
    }

    /// Counts a stray as refused until others prove its time.
    mutating func admitStray(
        _ fix: Fix, at point: SurfacePoint, reason: Refusal, isFar: Bool
    ) -> Verdict {
        // A recording has no arrivals to tell a delay from a new time base.
        if settings.arrivalIsDerived, !isFar { return .refused(reason) }
        if let other = strays.last(where: { isOneBase($0.fix, fix) && $0.fix.time >= fix.time }) {
            guard other.fix.time == fix.time else { return .refused(.outOfOrder) }
            return other.fix.coordinate == fix.coordinate ? .repeated : .refused(.duplicate)
        }
        if fix.error > settings.errorLimit { return .refused(isFar ? .inaccurate : reason) }
        var before = witnesses(of: fix, at: point)
        let isFast = before.count < settings.rebaseFixes && isFast(fix, at: point)
        if isFast { before = strays }
        if let before = before.last, isFrozen(fix, after: before) { return .refused(.frozen) }
        let standing = Standing(fix, point: point, after: before.last)
        if let first = before.first?.fix, before.count >= settings.rebaseFixes,
            settings.arrivalIsDerived || isFast
                || fix.arrival - first.arrival >= Self.leastSpan
        {
            return release(before + [standing], isFast: isFast)
        }
        if strays.count == Self.strayLimit { strays.removeFirst() }
        strays.append(standing)
        guard isFar else { return .refused(reason) }
        counters[reason] += 1
        return .held
    }

    /// The strays that a fix follows in time and place, oldest first.
    private func witnesses(of fix: Fix, at point: SurfacePoint) -> [Standing] {
        var chain: [Standing] = []
        var next = (fix: fix, point: point)
        for stray in strays.reversed() where isOneBase(stray.fix, fix) {
            guard stray.fix.time < next.fix.time,
                isPlausible(next.fix, at: next.point, after: stray)
            else { continue }
            chain.append(stray)
            next = (stray.fix, stray.point)
        }
        return chain.reversed()
    }

    /// Whether the receiver's time runs faster than the monotonic clock, as of a recording that is
    /// played through gpsd: all strays so far are too early, each earlier than the one before it,
    /// and this one too. No delay can do that.
    private func isFast(_ fix: Fix, at point: SurfacePoint) -> Bool {
        guard !settings.arrivalIsDerived, let last, strays.count == settings.rebaseFixes else {
            return false
        }
        var before = last
        for stray in strays + [Standing(fix, point: point, after: nil)] {
            guard stray.fix.time > before.fix.time, stray.fix.delay < before.fix.delay,
                stray.fix.delay - last.fix.delay >= -settings.rebaseLimit,
                isPlausible(stray.fix, at: stray.point, after: before)
            else { return false }
            before = stray
        }
        return true
    }

    private func isOneBase(_ earlier: Fix, _ fix: Fix) -> Bool {
        if settings.arrivalIsDerived { return fix.time - earlier.time >= -settings.rebaseLimit }
        let change = fix.delay - earlier.delay
        return change <= Self.agreement && change >= -Self.agreement
    }

    /// The strays of `proven` count after all. Where the vehicle can have come from the last
    /// accepted fix, they go on with its path.
    private mutating func release(_ proven: [Standing], isFast: Bool) -> Verdict {
        for stray in proven.dropLast() {
            let reason = reason(of: stray.fix)
            counters[reason] -= min(counters[reason], 1)
        }
        dropHeld()
        strays.removeAll()
        var path = proven
        if settings.arrivalIsDerived {
            for index in path.indices.dropFirst() {
                let first = path[0].fix
                path[index].fix.arrival = first.arrival + (path[index].fix.time - first.time)
            }
        }
        delays = LeastDelay()
        for standing in path where !isFast {
            let fix = standing.fix
            _ = delays.note(fix.delay, at: fix.arrival, window: settings.staleWindow)
        }
        let before = last
        last = path.last
        if isFast { return .released(path, isNewPath: false, isRebased: false) }
        guard let before, let first = path.first, !settings.arrivalIsDerived,
            isPlausible(
                first.fix, at: first.point, after: before,
                in: first.fix.arrival - before.fix.arrival)
        else {
            rebases += 1
            return .released(path, isNewPath: true, isRebased: true)
        }
        // The way to this machine has become longer or shorter: the receiver's time goes on.
        let step = first.fix.delay - before.fix.delay
        let isDelay = step <= settings.staleLimit && step >= -settings.staleLimit
        if isDelay, first.fix.time > before.fix.time,
            isPlausible(first.fix, at: first.point, after: before)
        {
            return .released(path, isNewPath: false, isRebased: false)
        }
        rebases += 1
        return .released(path, isNewPath: false, isRebased: true)
    }
}
