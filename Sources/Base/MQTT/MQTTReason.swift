/// A reason code of MQTT 5 (OASIS, MQTT 5.0, section 2.4), in CONNACK, PUBACK, SUBACK, DISCONNECT.
package struct MQTTReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It was done.
    package static let success = MQTTReason(rawValue: 0x00)
    /// Of a publication: it was received, and nobody was there to get it.
    package static let noMatchingSubscribers = MQTTReason(rawValue: 0x10)
    package static let badUserNameOrPassword = MQTTReason(rawValue: 0x86)
    /// Who we are may not do that.
    package static let notAuthorized = MQTTReason(rawValue: 0x87)
    package static let serverBusy = MQTTReason(rawValue: 0x89)
    package static let banned = MQTTReason(rawValue: 0x8A)
    package static let badAuthenticationMethod = MQTTReason(rawValue: 0x8C)
    /// Another client has connected with the same id.
    package static let sessionTakenOver = MQTTReason(rawValue: 0x8E)

    /// From 0x80 on nothing was done.
    package var isFailure: Bool { rawValue >= 0x80 }

    /// The packet was larger than the broker takes.
    package static let packetTooLarge = MQTTReason(rawValue: 0x95)

    /// It is about who we are or what we may do: trying again soon may lock the account.
    package var isDenial: Bool {
        [Self.badUserNameOrPassword, .notAuthorized, .banned, .badAuthenticationMethod]
            .contains(self)
    }

    package var description: String {
        switch rawValue {
        case 0x00: "success"
        case 0x10: "no matching subscribers"
        case 0x80: "unspecified error"
        case 0x81: "malformed packet"
        case 0x82: "protocol error"
        case 0x83: "implementation specific error"
        case 0x84: "unsupported protocol version"
        case 0x85: "client identifier not valid"
        case 0x86: "bad user name or password"
        case 0x87: "not authorized"
        case 0x88: "server unavailable"
        case 0x89: "server busy"
        case 0x8A: "banned"
        case 0x8B: "server shutting down"
        case 0x8C: "bad authentication method"
        case 0x8D: "keep alive timeout"
        case 0x8E: "session taken over"
        case 0x8F: "topic filter invalid"
        case 0x90: "topic name invalid"
        case 0x93: "receive maximum exceeded"
        case 0x95: "packet too large"
        case 0x96: "message rate too high"
        case 0x97: "quota exceeded"
        case 0x98: "administrative action"
        case 0x99: "payload format invalid"
        case 0x9A: "retain not supported"
        case 0x9B: "QoS not supported"
        case 0x9C: "use another server"
        case 0x9D: "server moved"
        case 0x9E: "shared subscriptions not supported"
        case 0x9F: "connection rate exceeded"
        default: "reason 0x" + String(rawValue, radix: 16)
        }
    }
}

/// Why a connection has ended or could not be made.
package enum MQTTEnd: Error, Hashable, Sendable, CustomStringConvertible {
    /// We have said goodbye.
    case goodbye
    /// The broker has ended it, with its reason.
    case broker(MQTTReason)
    /// The name of the broker does not resolve.
    case noName
    /// A failure of the network, with an errno(3) and its text.
    case network(String)
    /// TLS: the certificate, its name, or the handshake.
    case tls
    /// The broker does not speak MQTT 5 as it should.
    case malformed(String)
    /// It did not answer in time.
    case silence
    /// It sends packets that are larger than it was told to send.
    case tooLarge

    package var description: String {
        switch self {
        case .goodbye: "closed"
        case .broker(let reason): "the broker says: \(reason)"
        case .noName: "the name of the broker does not resolve"
        case .network(let text): text
        case .tls: "TLS failed: certificate, name or protocol"
        case .malformed(let text): "not what MQTT 5 demands: \(text)"
        case .silence: "no answer"
        case .tooLarge: "the broker sends packets larger than are wanted"
        }
    }
}
