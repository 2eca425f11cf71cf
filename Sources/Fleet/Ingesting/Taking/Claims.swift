import MQTT
import Systemd

/// Whose the brokers of an ingest are, by their indices.
@MainActor
final class Claims {
    /// Subscribes to ``Claim/topic`` at that broker.
    var subscribe: @MainActor (Int) -> Int32? = { _ in nil }
    /// Publishes there, retained or not.
    var publish: @MainActor (Int, [UInt8], Bool) -> Int32? = { _, _, _ in nil }
    /// Called when a broker is that of this database.
    var admit: @MainActor (Int) -> Void = { _ in }
    /// Called when it is that of another one.
    var leave: @MainActor (Int) -> Void = { _ in }
    /// Called when ``text`` is another one.
    var changed: @MainActor () -> Void = {}
    private let takesOver: Bool
    /// Brokers that were of this database before: whoever has taken one since may keep it.
    private var taken: Set<Int> = []
    private let log: @MainActor (LogPriority, String) -> Void
    private let refuse: @MainActor (String) -> Void
    /// The identity of the database; nil until it has told it.
    private var identity: String?
    private var claims: [Int: Claim] = [:]
    private var brokers = 0..<0
    /// Brokers whose access list hides the topic.
    private var hidden: Set<Int> = []
    /// The identities of other databases, by the brokers that are theirs.
    private var others: [Int: String] = [:]

    init(
        takesOver: Bool, log: @escaping @MainActor (LogPriority, String) -> Void,
        refuse: @escaping @MainActor (String) -> Void
    ) {
        self.takesOver = takesOver
        self.log = log
        self.refuse = refuse
    }

    /// Nothing is taken from any other broker.
    func isOurs(_ index: Int) -> Bool { claims[index]?.isOurs == true }

    /// A broker has yet to say whose it is, or that it is that of this database.
    var arePending: Bool {
        !hidden.isEmpty || !others.isEmpty || claims.values.contains { !$0.isOurs }
    }

    /// For the status: brokers that nothing is taken from.
    var text: String {
        hidden.sorted().map { ", broker \($0) hides \(Claim.topic)" }.joined()
            + others.keys.sorted().map { ", broker \($0) is that of another database" }.joined()
    }

    /// The database has told its identity.
    func identify(_ found: String, _ brokers: Range<Int>) {
        if let identity, identity != found {
            return refuse(
                "the database is another one than before: \(found) instead of \(identity)")
        }
        guard identity == nil else { return }
        identity = found
        self.brokers = brokers
        for index in brokers { ask(index) }
    }

    /// Asks a broker, where there is a connection.
    func ask(_ index: Int) {
        guard let identity, let id = subscribe(index) else { return }
        claims[index] = Claim(
            identity, takesOver: takesOver && !taken.contains(index), subscription: id,
            at: EventLoop.uptime)
    }

    /// The connection has ended.
    func end(_ index: Int) { claims[index] = nil }

    /// From time to time, of a broker that is connected: one that has hidden the topic, or was that of
    /// another database, is asked again.
    func care(_ index: Int) {
        guard let claim = claims[index] else { return ask(index) }
        if claim.isLate(at: EventLoop.uptime) { hide(index) }
    }

    /// Whether an event of a connection was about this.
    func take(_ event: MQTTEvent, _ index: Int) -> Bool {
        switch event {
        case .subscribed(let id, let reason):
            guard claims[index]?.isSubscribing(id) == true else { return false }
            if reason.isFailure {
                hide(index)
            } else if let question = claims[index]?.ask() {
                claims[index]?.hasAsked(publish(index, question, false))
            }
        case .published(let id, let reason):
            guard claims[index]?.isAsking(id) == true else { return false }
            if reason.isFailure { hide(index) }
        case .message(Claim.topic, let payload, _): follow(claims[index]?.heard(payload), index)
        default: return false
        }
        return true
    }

    private func follow(_ step: Claim.Step?, _ index: Int) {
        switch step {
        case .publish(let payload): _ = publish(index, payload, true)
        case .admit:
            taken.insert(index)
            let wasHidden = hidden.remove(index) != nil
            if others.removeValue(forKey: index) != nil || wasHidden { changed() }
            admit(index)
        case .refuse(let other): refuse(index, other)
        case nil: return
        }
    }

    /// Of several brokers one is left alone: whoever may write there cannot end the ingest of the others.
    private func refuse(_ index: Int, _ other: String) {
        claims[index] = nil
        let isNews = others.updateValue(other, forKey: index) != other
        let why =
            "broker \(index) is that of another database, \(other), and not of this one, "
            + "\(identity ?? ""): run --take-over makes it that of this one"
        guard others.count < brokers.count else { return refuse(why) }
        leave(index)
        guard isNews else { return }
        log(.error, "\(why); nothing is taken from there")
        changed()
    }

    private func hide(_ index: Int) {
        claims[index] = nil
        others[index] = nil
        guard hidden.insert(index).inserted else { return }
        log(
            .error,
            "broker \(index): nothing is taken from there, because it lets this ingest not read and "
                + "write \(Claim.topic): see geofenced-ingest(8)")
        changed()
    }
}
