import Geodesy
import Model
import Time

// A position that is doubted: its fixes are not judged, as if none had come.
extension Engine {
    /// The position is not believed at present.
    package var isPositionDoubtful: Bool { if case .some = trust.doubt { true } else { false } }

    /// The presences are those of the last fix that was believed: there has been none for too long.
    package var isPositionUncertain: Bool { isPositionLost || isPositionDoubtful }

    /// Whether an accepted fix is to be judged. `newPath` is why no path leads to it, and is changed
    /// where the position was doubtful.
    mutating func believes(
        _ fix: Fix, at point: SurfacePoint, newPath: inout EventReason?, isJump: Bool,
        isJammed: Bool, _ directives: inout [Directive]
    ) -> Bool {
        let verdict = trust.judge(
            fix, at: point, isJump: isJump, isOff: parking.ignition == false,
            isJammed: isJammed, rules: TrustRules(settings))
        guard verdict != .believed else { return true }
        tell(verdict, fix, at: point, &directives)
        guard !isPositionDoubtful else { return false }
        newPath = isRestarted ? .restart : verdict == .elsewhere ? .jump : nil
        return true
    }

    private mutating func tell(
        _ verdict: Trust.Verdict, _ fix: Fix, at point: SurfacePoint,
        _ directives: inout [Directive]
    ) {
        var events: [Event] = []
        if isPositionLost {
            isPositionLost = false
            events.append(.position(.positionRegained, time: fix.time, fix: fix))
        }
        switch verdict {
        case .doubtful, .believed:
            if !events.isEmpty { record(events, StayChanges(), &directives) }
            return
        case .doubted:
            var event = Event.position(.positionDoubtful, time: fix.time, fix: fix)
            event.distance = trust.doubt.map {
                point.distance(to: SurfacePoint($0.old.coordinate))
            }
            events.append(event)
            // What it has held up to now is over.
            parking.leaving = nil
        case .back:
            events.append(.position(.positionTrusted, time: fix.time, fix: fix))
        case .elsewhere:
            var event = Event.position(.positionTrusted, time: fix.time, fix: fix)
            event.reason = .jump
            events.append(event)
            parking.forgetPlace()
        }
        parking.doubted = trust.doubt?.old
        record(events, StayChanges(), parking: parking, &directives)
    }
}

extension TrustRules {
    package init(_ settings: EngineSettings) {
        self.init(
            gates: settings.gates, waking: settings.parking.hold,
            pathGap: settings.crossing.pathGap, settle: settings.crossing.settle,
            movingSpeed: settings.crossing.movingSpeed, radius: settings.parking.radius)
    }
}
