import JSON
import MQTT
import PostgreSQL
package import Systemd
import Time

/// From the brokers into the database: batches of 200 ms or 1,000 events, one transaction each, and
/// then an acknowledgement to each box. Whatever is lost on the way is sent again by the box.
@MainActor
package final class Intake {
    private let store: Store
    private let log: @MainActor (LogPriority, String) -> Void
    private let status: @MainActor (String) -> Void
    private let retention: Int
    private var links: [MQTTLink] = []
    private var pending: [Batch.Row] = []
    private var flush: TimerSource?
    private var care: TimerSource?
    /// Nil until the database has told them: nothing is subscribed to before that, and the broker
    /// tells the boxes that nobody is there.
    private var tenants: Set<String>?
    private var counts = (stored: 0, refused: 0, overflow: 0)

    private static let portion = 1000
    private static let patience = TimeSpan.milliseconds(200)
    /// Events that wait for the database; more are left to the boxes.
    private static let mostPending = 20_000
    /// Statements that wait for the database, beyond which nothing but events is stored.
    private static let mostWaiting = 64

    /// - Parameters:
    ///   - worker: distinguishes several ingests at one broker.
    ///   - status: a line for `STATUS=`.
    package init(
        _ settings: IngestSettings, worker: String, loop: EventLoop,
        log: @escaping @MainActor (LogPriority, String) -> Void,
        status: @escaping @MainActor (String) -> Void
    ) throws(SystemError) {
        self.log = log
        self.status = status
        retention = settings.retention
        store = Store(settings.database, loop: loop, log: log)
        flush = try TimerSource(loop) { [weak self] in self?.store(all: true) }
        care = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.maintain() }
        care?.arm(at: .boot)
        for (index, broker) in settings.brokers.enumerated() {
            var broker = broker
            broker.clientID = "ingest-\(worker)-\(index)"
            links.append(
                try MQTTLink(
                    loop, broker, spread: .seconds(5),
                    .init(
                        changed: { [weak self] in self?.changed(index, $0) },
                        event: { [weak self] in self?.take(index, $0) })))
        }
    }

    private func changed(_ index: Int, _ state: MQTTLink.State) {
        switch state {
        case .connecting: break
        case .connected:
            log(.info, "broker \(index): connected")
            if tenants != nil { subscribe(index) }
        case .waiting(let end, _): log(.warning, "broker \(index): \(end)")
        }
        tellStatus()
    }

    /// Each message to one of the ingests. The session is clean: what an ingest held when it went
    /// comes again to another one, because the box has no acknowledgement.
    private func subscribe(_ index: Int) {
        for kind in ["event", "status"] {
            _ = links[index].subscribe(to: "$share/ingest/gf/1/+/+/\(kind)")
        }
    }

    private func take(_ index: Int, _ event: MQTTEvent) {
        switch event {
        case .subscribed(_, let reason) where reason.isFailure:
            log(.error, "broker \(index): it may not read the events: \(reason)")
        case .message(let topic, let payload, _):
            guard let from = BoxTopic(topic) else { return }
            if from.kind == "event" { take(payload, from, index) } else { note(payload, from) }
        case .published, .subscribed, .connected, .ended: return
        }
    }

    private func take(_ payload: [UInt8], _ topic: BoxTopic, _ broker: Int) {
        guard tenants?.contains(topic.tenant) == true else {
            // It is neither stored nor acknowledged: the tenant may be about to be made.
            return setAside(topic, "there is no tenant \(topic.tenant)", payload)
        }
        var bad: [String: [Int64]] = [:]
        for element in Payload.elements(of: payload) {
            switch element {
            case .success(let event):
                guard pending.count < Self.mostPending else {
                    counts.overflow += 1
                    continue
                }
                pending.append(Batch.Row(broker: broker, topic: topic, event: event))
            case .failure(let problem):
                setAside(topic, problem.reason, payload)
                if let identity = problem.identity {
                    bad[identity.log, default: []].append(identity.seq)
                }
            }
        }
        // It is kept for people, and must not be in the way of what comes after it.
        for (log, numbers) in bad {
            _ = links[broker].publish(
                Batch.payload(log, numbers.sorted()), to: topic.acknowledgements)
        }
        guard !pending.isEmpty else { return }
        if pending.count >= Self.portion {
            store(all: false)
        } else if flush?.isEnabled != true {
            flush?.arm(at: EventLoop.uptime + Self.patience)
        }
    }

    /// Whole portions, and with `all` the rest.
    private func store(all: Bool) {
        while pending.count >= Self.portion || (all && !pending.isEmpty) {
            let batch = Batch(Array(pending.prefix(Self.portion)))
            pending.removeFirst(batch.rows.count)
            store.take(batch) { [weak self] in self?.finish($0) }
        }
        if pending.isEmpty { flush?.disarm() }
    }

    private func finish(_ outcome: Store.Outcome) {
        switch outcome {
        case .stored(let batch):
            counts.stored += batch.rows.count
            acknowledge(batch)
        case .refused(let row, let why):
            setAside(row.topic, why, Array("\(row.event)".utf8))
            acknowledge(Batch([row]))
        case .unknown: break
        }
        tellStatus()
    }

    private func acknowledge(_ batch: Batch) {
        for message in batch.acknowledgements {
            _ = links[message.broker].publish(message.payload, to: message.topic)
        }
    }

    private func note(_ payload: [UInt8], _ topic: BoxTopic) {
        guard store.waiting < Self.mostWaiting, payload.count <= 16 << 10,
            let json = try? JSONValue(parsing: payload), json.object != nil, !json.hasNUL
        else { return }
        let text = json.text
        store.run(
            "SELECT fleet.note_status($1, $2, $3::jsonb)", [topic.tenant, topic.box, text]
        ) { _ in }
    }

    private func setAside(_ topic: BoxTopic, _ why: String, _ payload: [UInt8]) {
        counts.refused += 1
        log(.warning, "set aside from \(topic.tenant)/\(topic.box): \(why)")
        guard store.waiting < Self.mostWaiting else { return }
        let digits = Array("0123456789abcdef")
        let bytes = payload.prefix(64 << 10)
        let hex = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        store.run(
            "SELECT fleet.set_aside($1, $2, $3, $4::bytea)",
            [topic.tenant, topic.box, String(why.prefix(200)), "\\x\(hex)"]
        ) { _ in }
    }

    /// The tenants each minute; the partitions with it, which mostly are there.
    private func maintain() {
        care?.arm(at: EventLoop.uptime + .seconds((tenants ?? []).isEmpty ? 5 : 60))
        store.run("SELECT fleet.tenants()", []) { [weak self] rows in
            guard let self, let rows else { return }
            let isFirst = tenants == nil
            tenants = Set(rows.values.compactMap { $0.first ?? nil })
            if isFirst { for index in links.indices { subscribe(index) } }
        }
        store.run("SELECT fleet.maintain($1)", [String(retention)]) { _ in }
    }

    private func tellStatus() {
        let connected = links.count { $0.state == .connected }
        status(
            "\(connected) of \(links.count) brokers, \(counts.stored) events stored, "
                + "\(counts.refused) set aside, \(counts.overflow) left to the boxes")
    }
}
