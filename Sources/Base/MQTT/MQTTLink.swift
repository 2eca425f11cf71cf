package import Systemd
package import Time

/// A connection to a broker that is made again whenever it ends.
@MainActor
package final class MQTTLink {
    /// What it is doing.
    package enum State: Hashable, Sendable {
        case connecting
        case connected
        /// The last attempt ended for this reason; the next one is made then.
        case waiting(MQTTEnd, until: Uptime)
    }

    /// What it tells its program.
    package struct Handlers {
        /// Connected (with a session that knows nothing), or no longer.
        package var changed: @MainActor (State) -> Void
        /// Everything but the beginning and the end.
        package var event: @MainActor (MQTTEvent) -> Void

        package init(
            changed: @escaping @MainActor (State) -> Void,
            event: @escaping @MainActor (MQTTEvent) -> Void
        ) {
            self.changed = changed
            self.event = event
        }
    }

    /// What it is doing at present.
    package private(set) var state = State.connecting
    /// How often in a row the broker has accepted us and dropped the connection within 30 s without
    /// a word. mosquitto 2.0.11 does that to the first of two clients with one name.
    package private(set) var shortLives = 0
    /// Messages that were lost because too many waited.
    package var dropped: UInt64 { droppedBefore + (connection?.dropped ?? 0) }
    /// Messages lost by the connections that have ended.
    private var droppedBefore: UInt64 = 0
    private let loop: EventLoop
    private let settings: MQTTSettings
    private let handlers: Handlers
    private var delay: ReconnectDelay
    private var connection: MQTTConnection?
    private var timer: TimerSource?
    private var since = Uptime.boot
    private var refusal: MQTTReason?
    private var isClosing = false
    /// Numbers of publications that the broker of this connection has not answered.
    private var unanswered: Set<Int32> = []

    /// From the call to CONNACK.
    private static let patience = TimeSpan.seconds(30)

    /// Begins to connect on the next turn of the loop.
    package init(
        _ loop: EventLoop, _ settings: MQTTSettings, spread: TimeSpan = .seconds(60),
        _ handlers: Handlers
    ) throws(SystemError) {
        self.loop = loop
        self.settings = settings
        self.handlers = handlers
        delay = ReconnectDelay(spread: spread)
        timer = try TimerSource(loop) { [weak self] in self?.timeIsUp() }
        timer?.arm(at: .boot)
        state = .waiting(.goodbye, until: .boot)
    }

    /// As ``MQTTConnection/publish(_:to:qos:isRetained:contentType:properties:)``; nil while there is
    /// no connection.
    package func publish(
        _ payload: [UInt8], to topic: String, qos: Int32 = 1, isRetained: Bool = false,
        contentType: String? = nil, properties: [(name: String, value: String)] = []
    ) -> Int32? {
        guard state == .connected else { return nil }
        let id = connection?.publish(
            payload, to: topic, qos: qos, isRetained: isRetained, contentType: contentType,
            properties: properties)
        if let id, qos > 0 { unanswered.insert(id) }
        return id
    }

    /// As ``MQTTConnection/longestPayload(to:contentType:)``; nil also while there is no connection.
    package func longestPayload(to topic: String, contentType: String? = nil) -> Int? {
        connection?.longestPayload(to: topic, contentType: contentType)
    }

    /// As ``MQTTConnection/subscribe(to:)``; nil while there is no connection.
    package func subscribe(to filter: String) -> Int32? {
        guard state == .connected else { return nil }
        return connection?.subscribe(to: filter)
    }

    /// As ``MQTTConnection/unsubscribe(from:)``.
    package func unsubscribe(from filter: String) { connection?.unsubscribe(from: filter) }

    /// The network is up again: does not wait any longer, unless the broker has refused us.
    package func hurry() {
        guard case .waiting(let end, _) = state, !isClosing else { return }
        if case .broker = end { return }
        timer?.arm(at: EventLoop.uptime)
    }

    /// Says goodbye once the broker has answered all that was published, so that nothing of it is overtaken;
    /// where it does not do so within seconds, its will is left to speak. `changed` is called with
    /// ``State/waiting(_:until:)`` when that is done, and no other connection is made.
    package func close() {
        isClosing = true
        guard let connection, state == .connected else {
            connection = nil
            end(.goodbye)
            return
        }
        if unanswered.isEmpty { connection.sayGoodbye() }
        timer?.arm(at: EventLoop.uptime + .seconds(2))
    }

    private func timeIsUp() {
        guard !isClosing else { return end(.silence) }
        switch state {
        case .connected: return
        case .connecting: end(.silence)
        case .waiting: connect()
        }
    }

    private func connect() {
        state = .connecting
        refusal = nil
        do throws(SystemError) {
            connection = try MQTTConnection(loop, settings) { [weak self] in self?.handle($0) }
            timer?.arm(at: EventLoop.uptime + Self.patience)
            handlers.changed(state)
        } catch { end(.network("\(error)")) }
    }

    private func handle(_ event: MQTTEvent) {
        switch event {
        case .connected(let reason):
            guard !reason.isFailure else {
                refusal = reason
                return
            }
            guard state == .connecting else { return }
            timer?.disarm()
            since = EventLoop.uptime
            state = .connected
            handlers.changed(state)
        case .ended(let end): self.end(refusal.map(MQTTEnd.broker) ?? end)
        case .published(let id, _):
            unanswered.remove(id)
            handlers.event(event)
            if isClosing, unanswered.isEmpty { connection?.sayGoodbye() }
        case .message, .subscribed: handlers.event(event)
        }
    }

    private func end(_ end: MQTTEnd) {
        let now = EventLoop.uptime
        let lasted = state == .connected ? now - since : nil
        switch (end, lasted) {
        case (_, nil): break
        case (.network, let lasted?) where lasted < .seconds(30): shortLives += 1
        default: shortLives = 0
        }
        droppedBefore += connection?.dropped ?? 0
        connection = nil
        unanswered.removeAll()
        let wait = delay.next(after: end, lasted: lasted, random: Double.random(in: 0...1))
        state = .waiting(end, until: now + wait)
        if isClosing { timer?.disarm() } else { timer?.arm(at: now + wait) }
        handlers.changed(state)
    }
}
