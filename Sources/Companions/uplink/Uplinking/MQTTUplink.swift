package import BusClient
import JSON
import MQTT
package import Systemd
import Time

/// Events to a broker: from the feed's window to `gf/1/TENANT/BOX/event`, until the destination has
/// acknowledged them.
@MainActor
package final class MQTTUplink {
    private let client: DaemonClient
    private let settings: UplinkSettings
    private let version: String
    private let handlers: Handlers
    private let loop: EventLoop
    private var link: MQTTLink?
    private var feed: EventFeed?
    private var again: TimerSource?
    private var degraded: BusSlot?
    private var network: NetworkWatch?
    /// Nil: not subscribed to what the back end says.
    private var subscription: Subscription?
    /// What the broker says about our publications; nil: nothing bad.
    private var trouble: UplinkState?
    private var ended: UplinkState = .connecting
    private var isStopping = false
    private var last: (state: UplinkState, text: String) = (.connecting, "")

    private enum Subscription: Equatable {
        case asked(Int32)
        case granted
    }

    /// What it tells its program.
    package struct Handlers {
        /// For `STATUS=`: the state, and what waits.
        package var status: @MainActor (UplinkState, String) -> Void
        /// Worth a line in the log.
        package var log: @MainActor (String) -> Void
        /// It will never work: for this reason.
        package var failed: @MainActor (String) -> Void
        /// ``MQTTUplink/stop()`` is done.
        package var stopped: @MainActor () -> Void

        package init(
            status: @escaping @MainActor (UplinkState, String) -> Void,
            log: @escaping @MainActor (String) -> Void,
            failed: @escaping @MainActor (String) -> Void,
            stopped: @escaping @MainActor () -> Void
        ) {
            self.status = status
            self.log = log
            self.failed = failed
            self.stopped = stopped
        }
    }

    /// - Parameter name: the well-known name of this destination on the bus.
    package init(
        _ client: DaemonClient, name: String, _ settings: UplinkSettings, version: String,
        loop: EventLoop, _ handlers: Handlers
    ) throws(SystemError) {
        self.client = client
        self.settings = settings
        self.version = version
        self.handlers = handlers
        self.loop = loop
        again = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.pump() }
        feed = try EventFeed(
            client, name: name, settings.filter, fromOldest: settings.beginning == .oldest,
            loop: loop,
            .init(
                changed: { [weak self] in self?.pump() }, log: handlers.log,
                failed: handlers.failed))
        link = try MQTTLink(
            loop, settings.broker, spread: .seconds(settings.spread),
            .init(
                changed: { [weak self] in self?.changed($0) },
                event: { [weak self] in self?.take($0) }))
        degraded = try client.onDegraded { [weak self] in self?.publishStatus() }
        network = try NetworkWatch(loop) { [weak self] in self?.link?.hurry() }
    }

    /// Says goodbye to the broker, and tells the daemon what has been delivered.
    package func stop() {
        isStopping = true
        feed?.tell()
        _ = link?.publish(
            Array(#"{"v":1,"online":false}"#.utf8), to: "\(settings.topic)/status",
            isRetained: true)
        link?.close()
    }

    private func changed(_ state: MQTTLink.State) {
        subscription = nil
        switch state {
        case .connecting: break
        case .connected:
            trouble = nil
            feed?.window?.begin()
            guard let id = link?.subscribe(to: "\(settings.topic)/down/#") else { return }
            subscription = .asked(id)
        case .waiting(let end, _):
            if isStopping { return handlers.stopped() }
            again?.disarm()
            let isDropped = (link?.shortLives ?? 0) >= 3
            ended = isDropped ? .duplicateName : UplinkState(after: end)
        }
        tellStatus()
    }

    private func take(_ event: MQTTEvent) {
        switch event {
        case .subscribed(let id, let reason):
            guard subscription == .asked(id) else { return }
            if reason.isFailure, settings.acknowledgement == .backend {
                trouble = .denied("it may not read \(settings.topic)/down: \(reason)")
                return tellStatus()
            }
            subscription = .granted
            publishStatus()
            pump()
        case .published(let id, let reason): published(id, reason)
        case .message(let topic, let payload, _):
            guard topic == "\(settings.topic)/down/ack", settings.acknowledgement == .backend,
                let acknowledgement = BackendAck(payload), acknowledgement.log == feed?.log
            else { return }
            feed?.window?.acknowledge(acknowledgement.ranges)
            trouble = nil
            pump()
        case .connected, .ended: return
        }
    }

    private func published(_ id: Int32, _ reason: MQTTReason) {
        guard feed?.window?.contains(id) == true else { return }
        let now = EventLoop.uptime
        switch reason {
        case .noMatchingSubscribers:
            feed?.window?.unheard(id, at: now)
            trouble = .unheard
        case _ where reason.isFailure:
            feed?.window?.refused(id, at: now)
            trouble = .denied("it may not write \(settings.topic)/event: \(reason)")
        default:
            trouble = nil
            if settings.acknowledgement == .broker { feed?.window?.arrived(id) }
        }
        pump()
    }

    /// Settles what has been acknowledged, sends what is due, and reads on.
    private func pump() {
        feed?.settle()
        if subscription == .granted {
            let now = EventLoop.uptime
            while let batch = feed?.window?.next(at: now) {
                guard
                    let id = link?.publish(batch.payload, to: "\(settings.topic)/event")
                else {
                    handlers.log("event \(batch.numbers[0]) cannot be published")
                    break
                }
                feed?.window?.sent(batch, id: id, at: now)
            }
            feed?.read()
            if let due = feed?.window?.due {
                // What could not be published is due already.
                again?.arm(at: due > now ? due : now + .seconds(60))
            } else {
                again?.disarm()
            }
        }
        tellStatus()
    }

    private var state: UplinkState {
        switch link?.state {
        case .connected?:
            if let trouble { return trouble }
            guard subscription == .granted else { return .connecting }
            return (feed?.window?.waiting ?? 0) > 0 ? .draining : .idle
        case .connecting?, nil: return .connecting
        case .waiting: return ended
        }
    }

    private func tellStatus() {
        let state = state
        var text = state.text
        if case .waiting(_, let until)? = link?.state {
            text += "; next try in \((until - EventLoop.uptime).inWords)"
        }
        if let window = feed?.window {
            text += ", \(window.waiting) under way, acknowledged \(window.position)"
        }
        guard text != last.text else { return }
        let isNews = state.word != last.state.word
        last = (state, text)
        handlers.status(state, text)
        // Troubles and their ends; the coming and going of events is no news.
        if isNews, state != .draining, state != .idle { handlers.log(state.text) }
    }

    /// The retained status: who is online, with which log, and what does not work.
    private func publishStatus() {
        guard subscription == .granted, !isStopping else { return }
        try? client.beginProperties(timeout: .seconds(5)) { [weak self] answer in
            guard let self, let properties = try? answer.get() else { return }
            let payload = StatusBody.bytes(
                DaemonStatus(properties: properties), waiting: feed?.window?.waiting ?? 0,
                state: state.word, version: version)
            _ = link?.publish(payload, to: "\(settings.topic)/status", isRetained: true)
        }
    }
}
