package import BusClient
package import Geofence1
import Model
package import Sentences
import Systemd
package import Time

/// Whether anything watches for hazards, and what the driver is to hear of that: once that nothing
/// does, and once that something does again.
@MainActor
package struct Lookout {
    /// What is seen at one time.
    package struct Sight {
        /// Of the daemon.
        package var presence: DaemonPresence.State
        /// What it says, with its position where that is not known any more; or why it says nothing.
        package var answer: Result<DaemonStatus, ClientError>

        package init(
            _ presence: DaemonPresence.State, _ answer: Result<DaemonStatus, ClientError>
        ) {
            self.presence = presence
            self.answer = answer
        }
    }

    private enum Verdict {
        case watches
        /// Nothing does, which is said if it stays so for that long.
        case isLost(TimeSpan)
        /// Neither is to be said: it is wanted, or it will be over soon.
        case isOpen
    }

    private let settings: SaySettings
    /// Hazards are known; of a daemon that is gone, they were.
    package private(set) var hasHazards: Bool
    /// As it was known last.
    package private(set) var isIgnitionOff = false
    /// Why nothing watches, for people; nil: something does.
    package private(set) var flaw: String?
    /// When to look again without news; nil: not.
    package private(set) var next: Uptime?
    private var lostAt: Uptime?
    private var backAt: Uptime?
    /// The driver believes that nothing watches.
    private var isSaid = false
    private var saidAt: Uptime?
    /// Since when the wheels have turned without a position, short stops included.
    private var turnsAt: Uptime?
    /// When they were seen to turn last.
    private var turnedAt: Uptime?

    /// A failure is said if it lasts this long.
    private static let patience = TimeSpan.seconds(30)
    /// The same of a daemon that is gone, which is known after ten seconds.
    private static let daemonPatience = TimeSpan.seconds(20)
    /// It is over when it has been so for this long.
    private static let settling = TimeSpan.seconds(10)
    /// What is not signalled is looked at as often while it matters.
    private static let often = TimeSpan.seconds(60)
    /// It is not said again within this.
    private static let pause = TimeSpan.seconds(600)
    /// m/s: who was as fast had not arrived.
    private static let driving = 3.0

    /// - Parameter hasHazards: as far as it is known before the daemon says so.
    package init(_ settings: SaySettings, hasHazards: Bool) {
        self.settings = settings
        self.hasHazards = hasHazards
    }

    /// What is to be said now; nil for nothing.
    package mutating func look(_ sight: Sight, at now: Uptime) -> Sentence? {
        next = nil
        if case .success(let status) = sight.answer, sight.presence == .running {
            // Of those in files none is known before there is a position.
            let mayForget = status[.positionState] == "known"
            hasHazards = status.vehicle?.hasHazards == true || hasHazards && !mayForget
            isIgnitionOff = status[.ignition] == "off"
            // Not signalled are that it is switched off, which is to be known when the daemon fails
            // later, and that the daemon hangs.
            if hasHazards, !isIgnitionOff { look(in: Self.often, now) }
        }
        let verdict = verdict(sight, now)
        guard settings.unwatched, hasHazards, !isIgnitionOff else {
            (isSaid, lostAt, backAt) = (false, nil, nil)
            if case .watches = verdict {} else { look(in: Self.often, now) }
            return nil
        }
        switch verdict {
        case .isOpen:
            (lostAt, backAt) = (nil, nil)
            look(in: Self.often, now)
        case .isLost(let patience):
            backAt = nil
            let since = lostAt ?? now
            lostAt = since
            look(in: Self.settling, now)
            let isDue = now - since >= patience && saidAt.map { now - $0 >= Self.pause } ?? true
            guard isDue, !isSaid else { return nil }
            (isSaid, saidAt) = (true, now)
            return .notWatched
        case .watches:
            lostAt = nil
            guard isSaid else { return nil }
            let since = backAt ?? now
            backAt = since
            guard now - since >= Self.settling else {
                look(in: Self.settling, now)
                return nil
            }
            (isSaid, backAt) = (false, nil)
            return .watchedAgain
        }
        return nil
    }

    private mutating func look(in span: TimeSpan, _ now: Uptime) {
        next = min(next ?? now + span, now + span)
    }

    private mutating func verdict(_ sight: Sight, _ now: Uptime) -> Verdict {
        switch sight.presence {
        case .noDaemon(let since):
            flaw = "geofenced is not running (no-daemon), since \(since.byWallClock.iso8601)"
            return .isLost(Self.daemonPatience)
        case .stopped(let since):
            flaw = "geofenced was stopped, \(since.byWallClock.iso8601)"
            return .isOpen
        case .starting:
            flaw = "geofenced is starting"
            return .isOpen
        case .running: break
        }
        let status: DaemonStatus
        switch sight.answer {
        case .success(let answer): status = answer
        case .failure(let error):
            flaw = error.reason
            return .isLost(Self.patience)
        }
        if status[.degraded].contains("store-unreadable") {
            flaw = "the catalogue cannot be read (store-unreadable)"
            return .isLost(Self.patience)
        }
        // A recording has an end, and a clock of its own; one who sleeps watches for nothing.
        let isOver = status.isRecorded || status[.resting]
        if status[.degraded].contains("source") {
            flaw = "no position can come (source)"
            return isOver ? .isOpen : .isLost(Self.patience)
        }
        let position = status[.positionState]
        guard position != "known" else {
            (flaw, turnsAt) = (nil, nil)
            return .watches
        }
        flaw = "the position is \(position)"
        return isOver || position == "doubtful" ? .isOpen : withoutPosition(status, now)
    }

    /// No position comes. Where the vehicle stood, or was slow, it may have arrived, and may set out
    /// again where there is none for a while: from a garage.
    private mutating func withoutPosition(_ status: DaemonStatus, _ now: Uptime) -> Verdict {
        if status[.wheels] == "moving" {
            let hasStood = turnedAt.map { now - $0 > settings.unwatchedAfter } ?? true
            turnsAt = hasStood ? now : turnsAt ?? now
            turnedAt = now
        }
        var since = status[.wheels] == "moving" ? turnsAt : nil
        if let fix = status.position, fix.arrival > .boot, fix.speed ?? 0 >= Self.driving {
            since = since.map { min($0, fix.arrival) } ?? fix.arrival
        }
        guard let since else { return .isOpen }
        let due = since + settings.unwatchedAfter
        guard now >= due else {
            look(in: due - now, now)
            return .isOpen
        }
        return .isLost(.zero)
    }
}
