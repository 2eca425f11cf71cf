package import JSON
package import Model
package import Time

/// The value of an event's field, independent of the format.
package enum EventValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    case integer(UInt64)
    /// The number of decimals in text formats.
    case real(Double, decimals: Int)
    case time(UTCTime)
    case span(TimeSpan)
    case presence(Presence)
    /// The text of a JSON object, as it was given.
    case metadata(String)
    /// An object with members that are defined here.
    case object(JSONValue)

    /// A text; nil for anything else, as below.
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var integer: UInt64? { if case .integer(let number) = self { number } else { nil } }
    var real: Double? { if case .real(let number, _) = self { number } else { nil } }
    var time: UTCTime? { if case .time(let time) = self { time } else { nil } }
    var span: TimeSpan? { if case .span(let span) = self { span } else { nil } }
    var presence: Presence? { if case .presence(let presence) = self { presence } else { nil } }
    var object: JSONValue? { if case .object(let object) = self { object } else { nil } }
}

/// One field of an event: its complete definition. All of them are in ``EventField/all``.
package final class EventField: Sendable {
    /// The name in JSON.
    package let name: String
    /// What its values are.
    package let form: Form
    /// The name in the details on the bus; nil if it is a separate argument, or absent.
    package let bus: String?
    /// The name in the journal; nil if it is absent.
    package let journal: String?
    /// When it is present, and for whom.
    package let rule: Rule
    /// Whether it leaves the vehicle where nothing is set; what tells of the position does only if
    /// that is set as well.
    package let leaves: Bool
    /// A phrase that describes it, for the manual pages.
    package let summary: String
    let value: @Sendable (LoggedEvent) -> EventValue?
    private let set: (@Sendable (inout LoggedEvent, EventValue) -> Void)?

    /// What the values of a field are, whatever the format.
    package enum Form: Sendable {
        case text
        case flag
        case integer
        case real
        case time
        case span
        case presence
        /// A JSON object.
        case object
    }

    /// When a field is present.
    package enum Rule: Sendable {
        /// Always; a missing value is null in JSON and left out elsewhere.
        case always
        /// Left out everywhere if there is no value.
        case whereKnown
        /// The same, and left out of signals: who asks why reads the log.
        case inLog
        /// On the bus and in the journal only for an event with a fence.
        case ofFence
        /// On the bus and in the journal only for readers that may know the position; a missing
        /// value is null in JSON.
        case motion
        /// The same, and a missing value is left out everywhere.
        case location
        /// The same, but never in signals, and in the journal only where that is set.
        case driver
    }

    init(
        _ name: String, _ form: Form, bus: String? = nil, journal: String? = nil,
        rule: Rule = .always, leaves: Bool = true, _ summary: String,
        _ value: @escaping @Sendable (LoggedEvent) -> EventValue?,
        set: (@Sendable (inout LoggedEvent, EventValue) -> Void)? = nil
    ) {
        self.name = name
        self.form = form
        self.bus = bus
        self.journal = journal
        self.rule = rule
        self.leaves = leaves
        self.summary = summary
        self.value = value
        self.set = set
    }

    /// Sets it in an event that is read from the bus; nothing for a field that is an argument there,
    /// or half of one. Of an object that cannot be read nothing is set.
    package func set(_ value: EventValue, in logged: inout LoggedEvent) { set?(&logged, value) }

    /// Its value in that event; nil if there is none.
    package func value(of logged: LoggedEvent) -> EventValue? { value(logged) }

    /// The same, for the bus and the journal: nil also if the reader may not know it.
    package func value(
        of logged: LoggedEvent, withLocation: Bool, withDriver: Bool
    ) -> EventValue? {
        switch rule {
        case .always, .whereKnown, .inLog: break
        case .ofFence: if logged.event.fence == nil { return nil }
        case .motion, .location: if !withLocation { return nil }
        case .driver: if !withDriver { return nil }
        }
        return value(logged)
    }

    /// The same, for what leaves the vehicle; an empty text counts as missing.
    package func value(leaving logged: LoggedEvent, withLocation: Bool) -> EventValue? {
        guard leaves else { return nil }
        let value = value(of: logged, withLocation: withLocation, withDriver: false)
        return value == .text("") ? nil : value
    }
}
