package import MQTT
package import Time

/// What an uplink is doing, in the words of `status`, the journal and metrics.
package enum UplinkState: Hashable, Sendable {
    /// No route, or no name: nothing that the destination could help.
    case noNetwork(String)
    case connecting
    /// Connected, and events are on their way.
    case draining
    /// Connected, and everything has been acknowledged.
    case idle
    /// The connection ended, or was not accepted.
    case refused(String)
    /// We are not who we should be, or may not write there.
    case denied(String)
    /// The broker takes events that nobody gets.
    case unheard
    /// Another box uses the same name.
    case duplicateName
    /// The destination is no more: nothing is sent until the program is started again.
    case held(String)

    /// Its word.
    package var word: String {
        switch self {
        case .noNetwork: "no-network"
        case .connecting: "connecting"
        case .draining: "draining"
        case .idle: "idle"
        case .refused: "refused"
        case .denied: "denied"
        case .unheard: "unheard"
        case .duplicateName: "duplicate-name"
        case .held: "held"
        }
    }

    /// The word, and what is known beyond it.
    package var text: String {
        switch self {
        case .noNetwork(let why), .refused(let why), .denied(let why), .held(let why):
            "\(word): \(why)"
        case .unheard: "\(word): nobody subscribes to the events"
        case .duplicateName: "\(word): another client seems to have this name"
        default: word
        }
    }

    /// Somebody has to do something about it.
    package var isTrouble: Bool {
        switch self {
        case .refused, .denied, .unheard, .duplicateName, .held: true
        default: false
        }
    }

    /// After a connection has ended.
    package init(after end: MQTTEnd) {
        switch end {
        case .broker(.sessionTakenOver): self = .duplicateName
        case .broker(let reason) where reason.isDenial: self = .denied("\(reason)")
        case .noName, .network: self = .noNetwork("\(end)")
        default: self = .refused("\(end)")
        }
    }
}

extension TimeSpan {
    /// For people: `9 min`, `40 s`.
    package var inWords: String {
        wholeSeconds >= 120 ? "\(wholeSeconds / 60) min" : "\(max(0, wholeSeconds)) s"
    }
}
