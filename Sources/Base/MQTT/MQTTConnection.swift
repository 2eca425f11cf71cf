import CMosquitto
import Files
import Glibc
package import Systemd

// Unsafe: owns the loop's reference to the session of the shim and drops it once; an event of the
// queue is ours from gfmq_take() to free(3), and its sizes are those of its bytes; arrays and
// strings are lent for one call, which copies them.

/// What has happened at a connection.
package enum MQTTEvent: Hashable, Sendable {
    /// CONNACK, with its reason: above 0x80 ``ended`` follows.
    case connected(MQTTReason)
    /// SUBACK, with the worst of its reasons.
    case subscribed(id: Int32, MQTTReason)
    /// PUBACK, with its reason.
    case published(id: Int32, MQTTReason)
    /// A publication for us.
    case message(topic: String, payload: [UInt8], isRetained: Bool)
    /// The last event of a connection.
    case ended(MQTTEnd)
}

/// One connection to a broker, from CONNECT to its end; ``MQTTLink`` makes another one afterwards.
/// MQTT 5, always with a clean start: queues of brokers do not survive them.
@MainActor
@safe package final class MQTTConnection {
    nonisolated(unsafe) private let session: UnsafeMutablePointer<gfmq_session>
    private var source: IOSource?
    private let handler: @MainActor (MQTTEvent) -> Void
    private var hasEnded = false
    /// Bytes of the longest packet that the broker takes; nil: it has not said.
    private var brokersLimit: Int?

    /// Events in one iteration of the loop.
    private static let portion = 256

    /// Begins to connect; the thread that does it waits for nobody. `handler` is called from the
    /// loop.
    package init(
        _ loop: EventLoop, _ settings: MQTTSettings,
        handler: @escaping @MainActor (MQTTEvent) -> Void
    ) throws(SystemError) {
        let operation = "connecting to \(settings.host)"
        guard
            let session = unsafe gfmq_new(
                settings.clientID, settings.host, Int32(settings.port),
                Int32(clamping: settings.keepAlive), settings.waitingLimit, settings.packetLimit)
        else { throw SystemError(operation: operation, errno: ENOMEM) }
        unsafe self.session = unsafe session
        self.handler = handler
        try configure(settings, operation)
        source = try unsafe IOSource(
            loop, descriptor: session.pointee.wake, events: .readable
        ) { [weak self] _ in self?.drain() }
        let result = unsafe gfmq_start(session)
        guard result == 0 else { throw SystemError(operation: operation, errno: result) }
    }

    deinit { unsafe gfmq_close(session) }

    /// Messages that were lost because too many waited.
    package var dropped: UInt64 { unsafe gfmq_dropped(session) }

    /// Publishes with QoS 0 or 1; returns the number that ``MQTTEvent/published`` will have, nil if
    /// there is no connection or the broker could not take a packet of that size.
    /// - Parameters:
    ///   - contentType: what the payload is (OASIS, MQTT 5.0, 3.3.2.3.9); nil: it is not said.
    ///   - properties: names and values for its readers (3.3.2.3.7).
    package func publish(
        _ payload: [UInt8], to topic: String, qos: Int32 = 1, isRetained: Bool = false,
        contentType: String? = nil, properties user: [(name: String, value: String)] = []
    ) -> Int32? {
        guard !hasEnded else { return nil }
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        if let contentType {
            let kind = Int32(MQTT_PROP_CONTENT_TYPE.rawValue)
            guard unsafe mosquitto_property_add_string(&properties, kind, contentType) == 0 else {
                return nil
            }
        }
        for (name, value) in user {
            let kind = Int32(MQTT_PROP_USER_PROPERTY.rawValue)
            guard unsafe mosquitto_property_add_string_pair(&properties, kind, name, value) == 0
            else {
                return nil
            }
        }
        var id: Int32 = 0
        let result = unsafe mosquitto_publish_v5(
            session.pointee.client, &id, topic, Int32(clamping: payload.count), payload, qos,
            isRetained, properties)
        return result == Int32(MOSQ_ERR_SUCCESS.rawValue) ? id : nil
    }

    /// Bytes of the longest payload that the broker takes at that topic, with QoS 1; nil: it has not
    /// said.
    package func longestPayload(to topic: String, contentType: String? = nil) -> Int? {
        // Kind, length of up to four bytes, length of the topic, number, length of the properties.
        let properties = contentType.map { 3 + $0.utf8.count } ?? 0
        return brokersLimit.map { max(0, $0 - 10 - topic.utf8.count - properties) }
    }

    /// Subscribes with QoS 1; returns the number that ``MQTTEvent/subscribed`` will have. A broker
    /// sends its retained messages after every subscription, also when one is repeated (OASIS,
    /// MQTT 5.0, 3.8.3.1, Retain Handling 0), but not after a shared one.
    package func subscribe(to filter: String) -> Int32? {
        guard !hasEnded else { return nil }
        var id: Int32 = 0
        let result = unsafe mosquitto_subscribe_v5(
            session.pointee.client, &id, filter, 1, 0, nil)
        return result == Int32(MOSQ_ERR_SUCCESS.rawValue) ? id : nil
    }

    /// From now on nothing comes because of that filter.
    package func unsubscribe(from filter: String) {
        guard !hasEnded else { return }
        _ = unsafe mosquitto_unsubscribe_v5(session.pointee.client, nil, filter, nil)
    }

    /// Says goodbye; ``MQTTEvent/ended`` follows, and no will.
    package func sayGoodbye() {
        guard !hasEnded else { return }
        unsafe gfmq_goodbye(session)
    }

    private func configure(_ settings: MQTTSettings, _ operation: String) throws(SystemError) {
        let client = unsafe session.pointee.client
        func check(_ result: Int32, _ what: String) throws(SystemError) {
            guard result != Int32(MOSQ_ERR_SUCCESS.rawValue) else { return }
            let code = result == Int32(MOSQ_ERR_NOMEM.rawValue) ? ENOMEM : EINVAL
            throw SystemError(operation: "\(operation): \(what)", errno: code)
        }
        if let user = settings.user {
            try unsafe check(mosquitto_username_pw_set(client, user, settings.password), "the user")
        }
        if let tls = settings.tls {
            try unsafe check(
                mosquitto_tls_set(
                    client, tls.authorities, tls.authorities == nil ? "/etc/ssl/certs" : nil,
                    tls.identity?.certificate, tls.identity?.key, nil),
                "the certificates")
        }
        if let will = settings.will {
            try unsafe check(
                gfmq_will(
                    session, will.topic, will.payload, Int32(clamping: will.payload.count),
                    will.delay), "the will")
        }
        try unsafe check(
            mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, Int32(settings.inFlight)),
            "the number of publications")
    }

    /// Delivers waiting messages, a portion in each iteration of the loop: a flood of messages must
    /// not delay timers, the database and the watchdog.
    private func drain() {
        var count: UInt64 = 0
        unsafe read(session.pointee.wake, &count, 8)
        // A handler may drop the last reference to this connection.
        withExtendedLifetime(self) {
            var rest = Self.portion
            while !hasEnded, let event = unsafe gfmq_take(session) {
                let what = unsafe What(event)
                unsafe free(event)
                let translated = Self.event(what)
                if case .ended = translated { hasEnded = true }
                if case .connected = translated, what.packet > 0 { brokersLimit = what.packet }
                if let translated { handler(translated) }
                rest -= 1
                guard rest > 0 else {
                    var one: UInt64 = 1
                    unsafe write(session.pointee.wake, &one, 8)
                    return
                }
            }
        }
    }

    /// An event of the shim, copied.
    private struct What {
        let kind: UInt32
        let code: Int32
        let detail: Int32
        let id: Int32
        let packet: Int
        let topicSize: Int
        let bytes: [UInt8]

        init(_ event: UnsafeMutablePointer<gfmq_event>) {
            kind = unsafe UInt32(bitPattern: event.pointee.kind)
            code = unsafe event.pointee.code
            detail = unsafe event.pointee.detail
            id = unsafe event.pointee.mid
            packet = unsafe Int(event.pointee.packet)
            topicSize = unsafe event.pointee.topic_size
            bytes = unsafe Array(
                UnsafeRawBufferPointer(
                    start: gfmq_bytes(event), count: topicSize + event.pointee.payload_size))
        }
    }

    private static func event(_ what: What) -> MQTTEvent? {
        let reason = MQTTReason(rawValue: UInt8(truncatingIfNeeded: what.code))
        switch what.kind {
        case GFMQ_CONNECTED.rawValue: return .connected(reason)
        case GFMQ_PUBLISHED.rawValue: return .published(id: what.id, reason)
        case GFMQ_SUBSCRIBED.rawValue: return .subscribed(id: what.id, reason)
        case GFMQ_MESSAGE.rawValue:
            return .message(
                topic: String(decoding: what.bytes.prefix(what.topicSize), as: UTF8.self),
                payload: Array(what.bytes.dropFirst(what.topicSize)), isRetained: what.detail != 0)
        case GFMQ_ENDED.rawValue: return .ended(end(what.code, what.detail))
        default: return nil
        }
    }

    /// - Parameter detail: an errno, or from 0x80 on what the broker said.
    private static func end(_ code: Int32, _ detail: Int32) -> MQTTEnd {
        if let reason = UInt8(exactly: detail), reason >= 0x80 {
            return .broker(MQTTReason(rawValue: reason))
        }
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return .goodbye
        case MOSQ_ERR_NO_CONN.rawValue: return .goodbye
        case MOSQ_ERR_EAI.rawValue: return .noName
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue: return .tls
        case MOSQ_ERR_KEEPALIVE.rawValue: return .silence
        // More than was asked for, or than there is memory for.
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue, MOSQ_ERR_NOMEM.rawValue: return .tooLarge
        // What errno has is of an earlier read, which only found nothing yet.
        case MOSQ_ERR_CONN_LOST.rawValue: return .network("the connection was lost")
        case MOSQ_ERR_ERRNO.rawValue:
            return .network(
                detail == 0 ? "the connection was lost" : Errno(detail).description)
        default:
            return unsafe .malformed(String(cString: mosquitto_strerror(code)))
        }
    }
}
