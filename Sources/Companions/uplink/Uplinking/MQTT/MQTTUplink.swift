package import BusClient
import MQTT
package import Settings
package import Systemd
import Time

/// Events to a broker: from the feed's window to the topic of events, until the destination has
/// acknowledged them.
@MainActor
package final class MQTTUplink: EventUplink {
    private let client: DaemonClient
    private let destination: BrokerDestination
    private let handlers: UplinkHandlers
    private var link: MQTTLink?
    private var feed: EventFeed?
    private var resending: Resending?
    private var beside: BesideEvents?
    private var positions: PositionReports?
    private var reports: StatusReports?
    private var availability: Availability?
    private var presence: DaemonPresence?
    private var again: TimerSource?
    private var network: NetworkWatch?
    /// Nil: not subscribed to what the back end says.
    private var subscription: Subscription?
    /// What the broker says about our publications; nil: nothing bad.
    private var trouble: UplinkState?
    private var ended: UplinkState = .connecting
    private var isStopping = false
    private var limit = BatchLimit()
    private var line = StatusLine()

    private enum Subscription: Equatable {
        case asked(Int32)
        case granted
    }

    /// - Parameter name: the well-known name of this destination on the bus.
    /// - Throws: ``BadValue`` for a credential that is not there, or ``SystemError``.
    package init(
        _ client: DaemonClient, name: String, _ settings: UplinkSettings,
        _ destination: BrokerDestination, _ credentials: Credentials, version: String,
        loop: EventLoop, _ handlers: UplinkHandlers
    ) throws {
        self.client = client
        self.destination = destination
        self.handlers = handlers
        let broker = try destination.connection(credentials)
        again = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.pump() }
        feed = try EventFeed(
            client, name: name, settings, isWoken: false, loop: loop, handlers
        ) { [weak self] in self?.pump() }
        resending = Resending(client, settings, handlers) { [weak self] in self?.pump() }
        beside = destination.beside(version: version).map {
            BesideEvents($0, client, settings.filter) { [weak self] in self?.pump() }
        }
        if let pause = destination.positionPause, let topic = destination.boxTopic {
            positions = try PositionReports(client, every: .seconds(pause), loop: loop) {
                [weak self] in
                _ = self?.link?.publish($0, to: "\(topic)/position", qos: 0)
            }
        }
        link = try MQTTLink(
            loop, broker, spread: .seconds(destination.spread),
            .init(
                changed: { [weak self] in self?.changed($0) },
                event: { [weak self] in self?.handle($0) }))
        if let topic = destination.boxTopic {
            reports = try StatusReports(
                client, version: version, loop: loop,
                .init(
                    state: { [weak self] in self?.state ?? .connecting },
                    waiting: { [weak self] in self?.feed?.queue(in: $0) ?? 0 },
                    longest: { [weak self] in self?.link?.longestPayload(to: "\(topic)/status") },
                    publish: { [weak self] in
                        self?.link?.publish($0, to: "\(topic)/status", isRetained: true) != nil
                    }))
        }
        availability = destination.availabilityTopic.map { topic in
            Availability { [weak self] in
                self?.link?.publish($0, to: topic, isRetained: true) != nil
            }
        }
        presence = try DaemonPresence(client.connection, loop: loop) { [weak self] in
            self?.availability?.tell($0.word == nil)
            self?.tellStatus()
        }
        network = try NetworkWatch(loop) { [weak self] in self?.link?.hurry() }
    }

    /// Says goodbye to the broker, and tells the daemon what has been delivered.
    package func stop() {
        isStopping = true
        feed?.tell()
        if let topic = destination.boxTopic {
            _ = link?.publish(
                Array(#"{"v":1,"online":false}"#.utf8), to: "\(topic)/status", isRetained: true)
        }
        availability?.tell(false)
        link?.close()
    }

    private func changed(_ state: MQTTLink.State) {
        subscription = nil
        reports?.stop()
        availability?.stop()
        resending?.stop()
        positions?.stop()
        beside?.begin()
        switch state {
        case .connecting: break
        case .connected:
            trouble = nil
            feed?.window?.begin()
            if let topic = destination.boxTopic {
                guard let id = link?.subscribe(to: "\(topic)/down/#") else { return }
                subscription = .asked(id)
            } else {
                subscription = .granted
                pump()
            }
        case .waiting(let end, _):
            if isStopping { return handlers.stopped() }
            again?.disarm()
            if let batch = feed?.window?.underWay() {
                if end == .broker(.packetTooLarge) { limit.refuse(batch) }
                limit.suspect(batch, after: link?.shortLives ?? 0)
            }
            ended = UplinkState(after: end, shortLives: link?.shortLives ?? 0)
        }
        tellStatus()
    }

    private func handle(_ event: MQTTEvent) {
        switch event {
        case .subscribed(let id, let reason):
            guard subscription == .asked(id) else { return }
            if reason.isFailure, destination.acknowledgement == .backend {
                trouble = .denied("it may not read \(destination.boxTopic ?? "")/down: \(reason)")
                return tellStatus()
            }
            subscription = .granted
            reports?.begin()
            positions?.begin()
            pump()
        case .published(let id, let reason): published(id, reason)
        case .message(let topic, let payload, _)
        where topic == destination.boxTopic.map { "\($0)/down/resend" }:
            guard destination.acknowledgement == .backend, let lacking = BackendAck(payload),
                let feed, let window = feed.window
            else { return }
            resending?.ask(lacking, current: feed.log, after: window.position)
        case .message(let topic, let payload, _):
            guard let own = destination.boxTopic, topic == "\(own)/down/ack",
                destination.acknowledgement == .backend, let acknowledgement = BackendAck(payload)
            else { return }
            feed?.take(acknowledgement)
            // One without numbers says that the office is there again.
            feed?.window?.restart(
                at: EventLoop.uptime, isBack: acknowledgement.ranges.isEmpty)
            trouble = nil
            pump()
        case .connected, .ended: return
        }
    }

    private func published(_ id: Int32, _ reason: MQTTReason) {
        if resending?.published(id, isGood: !reason.isFailure) == true { return pump() }
        guard feed?.window?.contains(id) == true else { return }
        let now = EventLoop.uptime
        switch reason {
        case .noMatchingSubscribers:
            feed?.window?.unheard(id, at: now)
            trouble = .unheard
        case .packetTooLarge:
            if let batch = feed?.window?.underWay(id) { limit.refuse(batch) }
            feed?.window?.release(id)
        case _ where reason.isFailure:
            feed?.window?.refused(id, at: now)
            trouble = .denied("it may not write \(destination.eventTopic): \(reason)")
        default:
            trouble = nil
            if destination.acknowledgement == .broker { feed?.window?.arrived(id) }
        }
        pump()
    }

    /// Settles what has been acknowledged, sends what is due, and reads on.
    private func pump() {
        feed?.acknowledge()
        // What is under way is still answered, and what was said last stays said.
        guard !isStopping else { return }
        if subscription == .granted {
            let now = EventLoop.uptime
            publish(beside?.introduction() ?? [])
            availability?.begin(presence?.state.word == nil)
            let said = link?.longestPayload(
                to: destination.eventTopic, contentType: destination.contentType)
            if let said { limit.lower(to: said) }
            while let batch = feed?.window?.next(at: now, most: most, bytes: limit.bytes) {
                if limit.isExceeded(by: batch) {
                    feed?.shorten(
                        batch.numbers[0], "the broker takes at most \(limit.single) bytes")
                    continue
                }
                guard publishBeside(batch) else { break }
                guard let id = publish(batch) else {
                    handlers.log(nil, "event \(batch.numbers[0]) cannot be published")
                    break
                }
                feed?.window?.sent(batch, id: id, at: now)
            }
            while let batch = resending?.next(at: now, most: most, bytes: limit.bytes) {
                if limit.isExceeded(by: batch) {
                    resending?.shorten(batch.numbers[0])
                    continue
                }
                guard let id = publish(batch) else { break }
                resending?.sent(batch, id: id, at: now)
            }
            // What was left out is settled like what has arrived.
            feed?.acknowledge()
            feed?.read()
            if let beside, feed?.isDry == true {
                publish(beside.state(after: feed?.window?.read ?? 0))
            }
            if let due = feed?.window?.due {
                // What could not be published is due already.
                again?.arm(at: due > now ? due : now + .seconds(60))
            } else {
                again?.disarm()
            }
        }
        tellStatus()
    }

    private func publish(_ batch: SendWindow.Batch) -> Int32? {
        let parts = destination.hasAttributesBeside ? CloudEvent.binary(batch.payload) : nil
        return link?.publish(
            parts?.data ?? batch.payload, to: destination.eventTopic,
            contentType: destination.contentType, properties: parts?.attributes ?? [])
    }

    private func publish(_ messages: [BesideMessage]) {
        for message in messages {
            _ = link?.publish(message.payload, to: message.topic, isRetained: true)
        }
    }

    /// What goes before the event of a batch.
    /// - Returns: whether it may go now; otherwise this is called again when more is known.
    private func publishBeside(_ batch: SendWindow.Batch) -> Bool {
        guard let beside, let number = batch.numbers.first, let feed, let window = feed.window
        else {
            return true
        }
        let isLast = window.isLast(number)
        // Whether it is the last one of the log is known when that was read to its end.
        guard !isLast || feed.hasReadAll || window.room == 0,
            let messages = beside.messages(with: number, batch.bodies[0], isLast: isLast)
        else { return false }
        publish(messages)
        return true
    }

    private var state: UplinkState {
        switch link?.state {
        case .connected?:
            guard subscription == .granted else { return trouble ?? .connecting }
            if let absence = presence.flatMap({ UplinkState($0.state) }) { return absence }
            return trouble ?? ((feed?.window?.waiting ?? 0) > 0 ? .draining : .idle)
        case .connecting?, nil: return .connecting
        case .waiting: return ended
        }
    }

    private func tellStatus() {
        reports?.changed()
        let state = state
        var until: Uptime?
        if case .waiting(_, let next)? = link?.state { until = next }
        guard let change = line.change(to: state, until: until, feed?.window) else { return }
        handlers.status(change.text)
        if change.isNews { handlers.log(state.isTrouble ? .trouble : nil, state.text) }
    }

    /// Events of one publication.
    private var most: Int { destination.isBatched ? SendWindow.limit : 1 }
}
