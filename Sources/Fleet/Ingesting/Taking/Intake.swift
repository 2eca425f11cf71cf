import MQTT
import PostgreSQL
import SharedLimits
package import Systemd
import Time

/// From the brokers into the database: batches of 200 ms or 1,000 events, one transaction each, and
/// then an acknowledgement to each box. An event that is lost on the way is sent again by the box;
/// a status is retained by the broker, and requested again.
@MainActor
package final class Intake {
    private let store: Store
    private let log: @MainActor (LogPriority, String) -> Void
    private let status: @MainActor (String) -> Void
    private let isShared: Bool
    private var links: [MQTTLink] = []
    private let claims: Claims
    private var pending: [Batch.Row] = []
    /// Bytes of the events that wait for the database or are being stored.
    private var held = 0
    /// Bytes of the messages that wait to be set aside.
    private var aside = 0
    /// Lines about messages since the last minute.
    private var told = 0
    private var budget = BoxBudget()
    private var latest: LatestWord?
    private var news: Announcer?
    private var flush: TimerSource?
    /// When ``flush`` is due; nil if nothing waits.
    private var due: Uptime?
    private var care: TimerSource?
    /// Nil until the database has told them: nothing is subscribed to before that, and the broker
    /// tells the boxes that nobody is there.
    private var tenants: Set<String>?
    /// Events were left to the boxes, which pause longer and longer.
    private var hasLeft = false
    /// The database has been asked about its standbys.
    private var hasAskedStandbys = false
    /// Partitions are still to be made or dropped.
    private var isUpkeepLate = false
    private var counts = (stored: 0, refused: 0, overflow: 0)

    private static let portion = 1000
    private static let patience = TimeSpan.milliseconds(200)
    /// The delay after a message with several events: its box is catching up, and sends no more
    /// before these are acknowledged.
    private static let haste = TimeSpan.milliseconds(20)
    /// The time from a failure to the next attempt to reach the database.
    private static let recovery = TimeSpan.seconds(5)
    /// The limit of ``held``; further events are left to the boxes. The statements take as much
    /// again.
    private static let mostHeld = 64 << 20
    /// Statements that wait for the database, beyond which nothing but events is stored.
    private static let mostWaiting = 64
    /// Bytes of messages that wait to be set aside.
    private static let mostAside = 8 << 20
    /// Lines about messages in a minute.
    private static let mostTold = 60

    /// - Parameters:
    ///   - worker: distinguishes several ingests at one broker.
    ///   - takesOver: brokers of another database become those of this one.
    ///   - status: a line for `STATUS=`.
    ///   - refuse: called when all brokers are, or become, those of another database, or the database is
    ///     another one: it must not go on.
    package init(
        _ settings: IngestSettings, worker: String, takesOver: Bool = false, loop: EventLoop,
        log: @escaping @MainActor (LogPriority, String) -> Void,
        status: @escaping @MainActor (String) -> Void,
        refuse: @escaping @MainActor (String) -> Void
    ) throws(SystemError) {
        self.log = log
        self.status = status
        isShared = settings.isShared
        claims = Claims(takesOver: takesOver, log: log, refuse: refuse)
        store = Store(settings.database, loop: loop, log: log)
        store.onChange = { [weak self] in self?.tellStatus() }
        news = try Announcer(loop) { [weak self] in
            self?.store.run(Announcer.sql, []) { _ in }
        }
        latest = try LatestWord(
            store, loop: loop, stored: { [weak self] in self?.news?.changed(within: $0) },
            lost: { [weak self] in self?.care?.arm(at: EventLoop.uptime + Self.recovery) })
        flush = try TimerSource(loop) { [weak self] in self?.store(all: true) }
        care = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.maintain() }
        care?.arm(at: .boot)
        claims.subscribe = { [weak self] in self?.links[$0].subscribe(to: Claim.topic) }
        claims.publish = { [weak self] index, payload, isRetained in
            self?.links[index].publish(payload, to: Claim.topic, isRetained: isRetained)
        }
        claims.admit = { [weak self] in self?.admit($0) }
        claims.leave = { [weak self] in self?.leave($0) }
        claims.changed = { [weak self] in self?.tellStatus() }
        for (index, broker) in settings.brokers.enumerated() {
            var broker = broker
            broker.clientID = "ingest-\(worker)-\(index)"
            links.append(
                try MQTTLink(
                    loop, broker, spread: .seconds(5),
                    .init(
                        changed: { [weak self] in self?.changed(index, $0) },
                        event: { [weak self] in self?.handle(index, $0) })))
        }
    }

    private func changed(_ index: Int, _ state: MQTTLink.State) {
        switch state {
        case .connecting: break
        case .connected:
            log(.info, "broker \(index): connected")
            claims.ask(index)
            care?.arm(at: EventLoop.uptime + Self.recovery)
        case .waiting(let end, _):
            claims.end(index)
            log(.warning, "broker \(index): \(end)")
        }
        tellStatus()
    }

    /// The broker is that of this database.
    private func admit(_ index: Int) {
        guard tenants != nil else { return }
        subscribeToEvents(index)
        askForStatuses(index)
        askForHoles()
    }

    /// Each message to one of the ingests, or without sharing to each: a single one then. The session
    /// is clean: what an ingest held when it went comes again to another one, because the box has no
    /// acknowledgement.
    private func subscribeToEvents(_ index: Int) {
        for topic in eventTopics { _ = links[index].subscribe(to: topic) }
    }

    private var eventTopics: [String] {
        [BoxTopic.Kind.event, .position].map { kind in
            (isShared ? "$share/ingest/" : "") + "gf/1/+/+/\(kind.rawValue)"
        }
    }

    /// The broker has become that of another database, whose ingests get everything from now on.
    private func leave(_ index: Int) {
        for topic in eventTopics + [Self.statusTopic] { links[index].unsubscribe(from: topic) }
    }

    /// All statuses that the broker retains, and every change. Not shared: a broker sends no
    /// retained messages to a shared subscription. Every ingest stores every status, with the same
    /// result.
    private func askForStatuses(_ index: Int) { _ = links[index].subscribe(to: Self.statusTopic) }

    private static let statusTopic = "gf/1/+/+/status"

    private func handle(_ index: Int, _ event: MQTTEvent) {
        guard !claims.take(event, index) else { return }
        switch event {
        case .subscribed(_, let reason) where reason.isFailure:
            log(.error, "broker \(index): it may not read what boxes send: \(reason)")
        case .message(let topic, let payload, let isRetained):
            // What was under way when it became another one's is that one's.
            guard claims.isOurs(index), let from = BoxTopic(topic) else { return }
            receive(payload, from, index, isRetained: isRetained)
        case .published, .subscribed, .connected, .ended: return
        }
    }

    private func receive(
        _ payload: [UInt8], _ from: BoxTopic, _ broker: Int, isRetained: Bool
    ) {
        var why: String?
        switch from.kind {
        case .event: return receive(payload, from, broker)
        case .status: why = latest?.addStatus(payload, from: from, isRetained: isRetained)
        case .position: why = latest?.addPosition(payload, from: from)
        }
        if let why { return setAside(from, why, payload) }
        // Kept by the broker: this ingest has just come to it, or the database has.
        if isRetained, let log = StatusQueue.waitingLog(in: payload) {
            _ = links[broker].publish(Batch.payload(log, []), to: from.acknowledgements)
        }
    }

    private func receive(_ payload: [UInt8], _ topic: BoxTopic, _ broker: Int) {
        guard tenants?.contains(topic.tenant) == true else {
            // It is neither stored nor acknowledged: the tenant may be about to be made.
            return setAside(topic, "there is no tenant \(topic.tenant)", payload)
        }
        var bad: [String: [Int64]] = [:]
        var problem: TakenEvent.Problem?
        let elements = Payload.elements(of: payload)
        guard budget.take(elements.count, of: topic, at: EventLoop.uptime) else {
            counts.overflow += elements.count
            return tell("\(topic.tenant)/\(topic.box) sends more events than are taken of a box")
        }
        for element in elements {
            switch element {
            case .success(let event):
                guard held < Self.mostHeld else {
                    counts.overflow += 1
                    continue
                }
                held += event.size
                pending.append(Batch.Row(broker: broker, topic: topic, event: event))
            case .failure(let found):
                problem = problem ?? found
                if let identity = found.identity {
                    bad[identity.log, default: []].append(identity.seq)
                }
            }
        }
        if let problem {
            setAside(topic, problem.reason, payload) { [weak self, bad] in
                // It is kept for inspection, and must not delay the messages after it.
                for (log, numbers) in bad {
                    _ = self?.links[broker].publish(
                        Batch.payload(log, numbers.sorted()), to: topic.acknowledgements)
                }
            }
        }
        guard !pending.isEmpty else { return }
        guard pending.count < Self.portion else { return store(all: false) }
        let wanted = EventLoop.uptime + (elements.count > 1 ? Self.haste : Self.patience)
        if due.map({ wanted < $0 }) ?? true {
            due = wanted
            flush?.arm(at: wanted)
        }
    }

    /// Whole portions, and with `all` the rest.
    private func store(all: Bool) {
        while pending.count >= Self.portion || (all && !pending.isEmpty) {
            let batch = Batch(Array(pending.prefix(Self.portion)))
            pending.removeFirst(batch.rows.count)
            store.store(batch) { [weak self] in self?.finish($0) }
        }
        guard pending.isEmpty else { return }
        due = nil
        flush?.disarm()
    }

    private func finish(_ outcome: Store.Outcome) {
        switch outcome {
        case .stored(let batch):
            counts.stored += batch.rows.count
            news?.changed()
            release(batch)
            acknowledge(batch)
        case .refused(let row, let why):
            release(Batch([row]))
            setAside(row.topic, why, Array(row.event.text.utf8)) { [weak self] in
                self?.acknowledge(Batch([row]))
            }
        case .unknown(let batch):
            release(batch)
            if !hasLeft { care?.arm(at: EventLoop.uptime + Self.recovery) }
            hasLeft = true
        }
        tellStatus()
    }

    private func release(_ batch: Batch) {
        for row in batch.rows { held -= row.event.size }
    }

    private func acknowledge(_ batch: Batch) {
        for message in batch.acknowledgements {
            // It needs no answer: a box that does not get it sends its events again.
            _ = links[message.broker].publish(message.payload, to: message.topic, qos: 0)
        }
    }

    /// - Parameter kept: called when the database has it; not called if the box sends it again.
    private func setAside(
        _ topic: BoxTopic, _ why: String, _ payload: [UInt8],
        kept: @escaping @MainActor () -> Void = {}
    ) {
        counts.refused += 1
        tell("set aside from \(topic.tenant)/\(topic.box): \(why)")
        guard store.waiting < Self.mostWaiting, aside + payload.count <= Self.mostAside else {
            return
        }
        aside += payload.count
        store.run(
            "SELECT fleet.set_aside($1, $2, $3, $4::bytea)",
            [topic.tenant, topic.box, String(why.prefix(200)), ByteaText.text(payload)]
        ) { [weak self] rows in
            self?.aside -= payload.count
            // What is not there is not acknowledged: the box keeps it.
            guard let isKept = rows?.values.first?.first ?? nil else { return }
            if isKept == "t" { return kept() }
            self?.tell("\(topic.tenant)/\(topic.box) has used up its quota in fleet.rejected")
        }
    }

    /// What is wrong with messages: a box may send many of them.
    private func tell(_ what: String) {
        told += 1
        if told <= Self.mostTold { log(.warning, what) }
        if told == Self.mostTold { log(.warning, "more in the next minute") }
    }

    /// Every minute: the tenants, statuses that were lost, and the partitions, which usually exist
    /// already.
    private func maintain() {
        told = 0
        budget.tidy(at: EventLoop.uptime)
        for index in links.indices where links[index].state == .connected { claims.care(index) }
        let isUrgent =
            (tenants ?? []).isEmpty || latest?.isIncomplete == true || hasLeft
            || claims.arePending
        care?.arm(at: EventLoop.uptime + (isUrgent ? Self.recovery : .seconds(60)))
        store.run("SELECT fleet.identity()", []) { [weak self] rows in
            guard let self, let found = rows?.values.first?.first ?? nil else { return }
            claims.identify(found, links.indices)
        }
        store.run("SELECT fleet.tenants()", []) { [weak self] rows in
            guard let self, let rows else { return }
            let old = tenants
            let new = Set(rows.values.compactMap { $0.first ?? nil })
            tenants = new
            if old == nil {
                for index in links.indices where claims.isOurs(index) { subscribeToEvents(index) }
            }
            askAboutStandbys()
            // Statuses of a tenant that did not exist yet were not stored.
            guard latest?.isIncomplete == true || hasLeft || !new.isSubset(of: old ?? []) else {
                return
            }
            latest?.ask()
            hasLeft = false
            for index in links.indices where claims.isOurs(index) { askForStatuses(index) }
        }
        askForHoles()
        store.run("SELECT fleet.maintain()", []) { [weak self] rows in
            guard let said = rows?.values.first?.first ?? nil else { return }
            self?.noteUpkeep(said)
        }
        store.run("SELECT fleet.prune_if_due()", []) { _ in }
    }

    /// What `fleet.maintain()` has answered: told once while it waits.
    private func noteUpkeep(_ said: String) {
        let isLate = said.hasSuffix(Upkeep.waits)
        guard isLate != isUpkeepLate else { return }
        isUpkeepLate = isLate
        log(isLate ? .warning : .info, "partitions: \(said)")
        tellStatus()
    }

    /// Through every broker: which one the box is at is not known. Not while there is none: what is
    /// asked for is noted, and not asked for again within the hour.
    private func askForHoles() {
        guard links.indices.contains(where: claims.isOurs) else { return }
        store.run("SELECT tenant, box, log, ranges FROM fleet.lacking()", []) { [weak self] rows in
            for row in rows?.values ?? [] {
                guard let self, let tenant = row[0], let box = row[1], let log = row[2],
                    let ranges = row[3], let topic = BoxTopic.requests(tenant: tenant, box: box)
                else { continue }
                let text = #"{"log":"\#(log)","ranges":\#(ranges)}"#
                for index in links.indices where claims.isOurs(index) {
                    _ = links[index].publish(Array(text.utf8), to: topic)
                }
            }
        }
    }

    /// Once, at the start.
    private func askAboutStandbys() {
        guard !hasAskedStandbys else { return }
        hasAskedStandbys = true
        store.run(Self.standbys, []) { [weak self] rows in
            guard let count = rows?.values.first?.first ?? nil, count != "0" else { return }
            self?.log(
                .warning,
                "the database does not wait for its \(count) standbys, and a failover loses events "
                    + "that boxes have given up: set synchronous_standby_names")
        }
    }

    /// Standbys that a commit does not wait for; any role may ask.
    static let standbys = """
        SELECT count(*) FROM pg_stat_replication WHERE \
        current_setting('synchronous_standby_names') = '' \
        OR current_setting('synchronous_commit') IN ('off', 'local')
        """

    private func tellStatus() {
        let connected = links.count { $0.state == .connected }
        let dropped = links.reduce(0) { $0 + $1.dropped }
        status(
            (store.trouble.map { "\($0); " } ?? "")
                + "\(connected) of \(links.count) brokers, \(counts.stored) events stored, "
                + "\(counts.refused) set aside, \(counts.overflow) left to the boxes"
                + (dropped > 0 ? ", \(dropped) messages dropped" : "")
                + (isUpkeepLate ? ", partitions wait for who reads for long" : "") + claims.text)
    }
}
