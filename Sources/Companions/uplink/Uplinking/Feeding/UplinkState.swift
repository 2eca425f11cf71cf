package import BusClient
package import MQTT
import Systemd
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
    /// geofenced does not run since then, and nobody wanted that.
    case noDaemon(Uptime)
    /// geofenced was stopped then.
    case stopped(Uptime)
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
        case .noDaemon: "no-daemon"
        case .stopped: "stopped"
        case .held: "held"
        }
    }

    /// The word, and what is known beyond it.
    @MainActor package var text: String {
        switch self {
        case .noNetwork(let why), .refused(let why), .denied(let why), .held(let why):
            "\(word): \(why)"
        case .unheard: "\(word): nobody subscribes to the events"
        case .duplicateName: "\(word): another client has this name"
        case .noDaemon(let since):
            "\(word): geofenced does not run since \(since.byWallClock.iso8601)"
        case .stopped(let since): "\(word): geofenced was stopped at \(since.byWallClock.iso8601)"
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

    /// Since when there is no daemon; nil while there is one.
    package var absence: Uptime? {
        switch self {
        case .noDaemon(let since), .stopped(let since): since
        default: nil
        }
    }

    /// While there is no daemon; nil while there is one.
    package init?(_ presence: DaemonPresence.State) {
        switch presence {
        case .running, .starting: return nil
        case .stopped(let since): self = .stopped(since)
        case .noDaemon(let since): self = .noDaemon(since)
        }
    }

    /// After a connection has ended.
    /// - Parameter shortLives: how often in a row one has ended so, without a word and soon after it was
    ///   made.
    package init(after end: MQTTEnd, shortLives: Int = 0) {
        switch end {
        case .broker(.sessionTakenOver): self = .duplicateName
        case .broker(let reason) where reason.isDenial: self = .denied("\(reason)")
        // What was seen, and no more: a broker that is killed again and again does the same.
        case .network where shortLives >= 3:
            self = .refused(
                "\(end), \(shortLives) times in a row soon after it was connected: the broker fails, or "
                    + "another client has this name")
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
