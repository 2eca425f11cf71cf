import Formats
import Geofence1
import Model
package import Sentences
package import Systemd
package import Time

/// An event that is for the driver's ears.
package struct DriverAlert {
    /// Which of the four.
    package enum Stage: Sendable {
        case advisory
        case urgent
        /// The end of either.
        case clear
        /// Any other event that the driver is to hear of.
        case notice

        /// The name of the kind of event.
        package var name: String {
            switch self {
            case .advisory: "advisory"
            case .urgent: "urgent"
            case .clear: "clear"
            case .notice: "notice"
            }
        }
    }

    /// The number of the event.
    package let seq: UInt64
    /// Which log the number is of.
    package let log: String
    /// How pressing it is.
    package let stage: Stage
    /// Id of the hazard, or of the fence of a notice; empty for a notice of none.
    package let hazard: String
    /// Empty if it has none.
    package let title: String
    /// When it fell due, UTC of the receiver; of a notice, when it was known.
    package let time: UTCTime
    /// The name of its kind.
    package let kind: String
    /// False for one that is only for the log.
    package let isAnnounced: Bool
    /// As many more are announced with it.
    package let following: Int
    private let event: Event

    /// Numbers of the kinds of event that are alerts, for `kinds` of a consumer.
    package static let kinds: [UInt32] =
        ([EventKind.advisory, .urgent, .clear, .towed]
        + SayList.all.compactMap { EventKind(name: $0) })
        .map(\.rawValue)

    /// Nil for any other event.
    package init?(bus value: BusValue) {
        guard let members = value.asStructure, let logged = LoggedEvent(bus: members) else {
            return nil
        }
        switch logged.event.kind {
        case .advisory: stage = .advisory
        case .urgent: stage = .urgent
        case .clear: stage = .clear
        default:
            guard Self.kinds.contains(logged.event.kind.rawValue) else { return nil }
            stage = .notice
        }
        guard stage == .notice || logged.event.fence != nil else { return nil }
        event = logged.event
        seq = logged.seq
        log = members[3].asDictionary?["log"]?.asString ?? ""
        hazard = event.fence ?? ""
        kind = event.kind.name
        title = event.title
        time = stage == .notice ? event.fixTime : event.time
        isAnnounced = event.announced
        following = Int(event.approach?.group ?? 0)
    }

    /// Whether it is said whatever the settings say, at all hours.
    package var isAlwaysSaid: Bool { stage != .notice || event.kind == .towed }

    /// Whether it is to be said: by the property of the fence, without it by the settings.
    package func isSaid(_ usual: SayList) -> Bool {
        isAlwaysSaid
            || (SayList(metadata: event.metadata) ?? usual).kinds.contains(event.kind.name)
    }

    /// What the driver is told. Without the details of an approach, which only another version of
    /// the daemon leaves out, at least that there is something.
    package func text(as wording: Wording) -> String {
        if stage == .notice { return event.notice(as: wording) ?? wording.name(title) }
        guard let details = event.approach else {
            let name = wording.name(title.isEmpty ? hazard : title)
            return wording.text(
                stage == .clear ? .somethingPassed : .somethingAhead, ["name": name])
        }
        return details.text(of: event.kind, as: wording)
    }
}

extension DaemonStatus {
    /// How long ago that was, by the clock of the receiver, which the machine's need not agree
    /// with; nil before the first fix.
    @MainActor package func age(of time: UTCTime) -> TimeSpan? {
        guard let last = self[.lastFix] else { return nil }
        let before = last - time
        guard !isRecorded else { return before }
        return before + max(.zero, EventLoop.uptime - (self[.lastFixArrival] ?? .boot))
    }
}
