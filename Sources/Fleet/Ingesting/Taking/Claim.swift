import Bytes
import JSON
import Systemd
import Time

/// Whose a broker is. Every ingest of a broker shares its events with the others there: two databases
/// would split them, and each would have half of every box. So the identity of the database is kept at
/// the broker, retained, and nothing is subscribed to before it was read there.
///
/// A broker sends what it has retained before what is published later: when a question of ours comes
/// back, and nothing came before it, nothing is there. An access list that hides the topic hides the
/// question, too.
struct Claim {
    /// Three levels: no pattern for a box, whose topics have a tenant and a name, admits it.
    static let topic = "gf/1/office"

    /// What is to be done.
    enum Step: Hashable {
        /// Retained.
        case publish([UInt8])
        /// The broker is that of this database.
        case admit
        /// It is that of another one, which is named.
        case refuse(String)
    }

    private enum State {
        /// The topic is being subscribed to.
        case subscribing(id: Int32)
        /// The question is on its way.
        case asking(id: Int32?)
        /// The identity is on its way.
        case claiming
        case ours
    }

    /// Bytes of what is kept there.
    private static let longest = 1024
    /// From a subscription to the answer.
    private static let patience = TimeSpan.seconds(10)

    private let database: String
    private let takesOver: Bool
    private let question: String
    private let due: Uptime
    private var state: State
    /// What is kept there; nil: nothing was seen.
    private var found: String?

    /// - Parameters:
    ///   - database: its identity.
    ///   - subscription: the number of that to ``topic``.
    init(_ database: String, takesOver: Bool, subscription: Int32, at now: Uptime) {
        self.database = database
        self.takesOver = takesOver
        question = String(UInt64.random(in: .min ... .max), radix: 16)
        due = now + Self.patience
        state = .subscribing(id: subscription)
    }

    /// Nothing has come back: the access list hides the topic.
    func isLate(at now: Uptime) -> Bool { !isOurs && now >= due }

    var isOurs: Bool { if case .ours = state { true } else { false } }

    /// Whether this is the number of the subscription, which has no answer yet.
    func isSubscribing(_ id: Int32) -> Bool {
        if case .subscribing(id) = state { true } else { false }
    }

    /// Whether this is the number of the question, which has not come back yet.
    func isAsking(_ id: Int32) -> Bool { if case .asking(id) = state { true } else { false } }

    /// What is asked once the subscription is there.
    mutating func ask() -> [UInt8] {
        state = .asking(id: nil)
        return Self.payload("asks", question)
    }

    /// The number under which the question was published.
    mutating func hasAsked(_ id: Int32?) {
        if case .asking(nil) = state { state = .asking(id: id) }
    }

    /// A message of ``topic``.
    mutating func heard(_ payload: [UInt8]) -> Step? {
        let json = payload.count <= Self.longest ? try? JSONValue(parsing: payload) : nil
        if let asked = json?["asks"]?.string { return asked == question ? answered() : nil }
        found =
            payload.isEmpty
            ? nil : json?["database"]?.string?.printable ?? "what is no identity"
        switch (state, found) {
        case (.ours, nil), (.claiming, nil): return claim()
        case (.claiming, database):
            state = .ours
            return .admit
        case (.ours, database), (.subscribing, _), (.asking, _): return nil
        case (.ours, let other?), (.claiming, let other?): return .refuse(other)
        }
    }

    private mutating func answered() -> Step? {
        guard case .asking = state else { return nil }
        if let found, found != database, !takesOver { return .refuse(found) }
        guard found == database else {
            state = .claiming
            return claim()
        }
        state = .ours
        return .admit
    }

    private func claim() -> Step {
        .publish(Self.payload("database", database))
    }

    private static func payload(_ key: String, _ value: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key(key)
        json.string(value)
        json.endObject()
        return json.bytes
    }
}
