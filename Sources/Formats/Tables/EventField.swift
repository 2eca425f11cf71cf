package import Engine
package import Time

/// The value of an event's field, whatever it is written in.
package enum EventValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    case integer(UInt64)
    /// With how many decimals it is written where it is text.
    case real(Double, decimals: Int)
    case time(ReceiverTime)
    case span(TimeSpan)
    case presence(Presence)
    /// The text of a JSON object.
    case metadata(String)
}

/// One field of an event: everything there is to know about it. All of them are in
/// ``EventField/all``.
package struct EventField: Sendable {
    /// In JSON.
    package let name: String
    /// Among the details on the bus; nil where it is an argument of its own, or not there at all.
    package let bus: String?
    /// In the journal; nil where it is not there.
    package let journal: String?
    /// Who finds it, and where it is left out.
    package let rule: Rule
    /// What it is, in a phrase; for the manual pages.
    package let summary: String
    let value: @Sendable (LoggedEvent) -> EventValue?

    /// When a field is there.
    package enum Rule: Sendable {
        /// Always; without a value it is null in JSON and left out elsewhere.
        case always
        /// Left out everywhere without a value.
        case whereKnown
        /// On the bus and in the journal only of an event that has a fence.
        case ofFence
        /// On the bus and in the journal only for those who may know where the vehicle is; without
        /// a value it is null in JSON.
        case motion
        /// The same, and without a value it is left out everywhere.
        case location
    }

    init(
        _ name: String, bus: String? = nil, journal: String? = nil, rule: Rule = .always,
        _ summary: String, _ value: @escaping @Sendable (LoggedEvent) -> EventValue?
    ) {
        self.name = name
        self.bus = bus
        self.journal = journal
        self.rule = rule
        self.summary = summary
        self.value = value
    }

    /// Of that event; nil where it has none.
    package func value(of logged: LoggedEvent) -> EventValue? { value(logged) }

    /// The same, for the bus and the journal: nil too where the reader is not to find it.
    package func value(of logged: LoggedEvent, withLocation: Bool) -> EventValue? {
        switch rule {
        case .always, .whereKnown: break
        case .ofFence: if logged.event.fence == nil { return nil }
        case .motion, .location: if !withLocation { return nil }
        }
        return value(logged)
    }
}
