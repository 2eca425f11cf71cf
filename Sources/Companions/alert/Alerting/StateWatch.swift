package import BusClient
import Files
import Geofence1
import Glibc
package import Sentences
package import Systemd
import Time

// Unsafe: access(2), unlink(2) and open(2) get a path of ours.

/// Looks at what keeps warnings away, whenever the daemon comes or goes or says that something has
/// changed, and has it said.
@MainActor
package final class StateWatch {
    private let client: DaemonClient
    private let outputs: Outputs
    private var reminder = StateReminder()
    private var lookout: Lookout
    private var presence: DaemonPresence?
    private var news: [BusSlot] = []
    private var timer: TimerSource?
    /// A question is open, and there was news meanwhile.
    private var isAsking = false
    private var again = false

    /// What it gives its results to.
    package struct Outputs {
        /// Aloud.
        package var say: @MainActor (@escaping (Wording) -> String) -> Void
        /// Why nothing watches, for people; nil: something does.
        package var flaw: @MainActor (String?) -> Void
        /// Whether hazards are known has changed.
        package var hazards: @MainActor (Bool) -> Void

        package init(
            say: @escaping @MainActor (@escaping (Wording) -> String) -> Void,
            flaw: @escaping @MainActor (String?) -> Void,
            hazards: @escaping @MainActor (Bool) -> Void
        ) {
            self.say = say
            self.flaw = flaw
            self.hazards = hazards
        }
    }

    /// - Parameter hasHazards: whether the daemon that was here last knew any.
    package init(
        _ client: DaemonClient, _ settings: SaySettings, hasHazards: Bool, loop: EventLoop,
        _ outputs: Outputs
    ) throws(SystemError) {
        self.client = client
        self.outputs = outputs
        lookout = Lookout(settings, hasHazards: hasHazards)
        timer = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.look() }
        presence = try DaemonPresence(client.connection, loop: loop) { [weak self] _ in
            self?.look()
        }
        news = [
            try client.onChange(of: ["Degraded", "PositionState", "Vehicle"]) { [weak self] in
                self?.look()
            },
            // Who drives has switched the ignition on.
            try client.onHeartbeat { [weak self] in
                if self?.lookout.isIgnitionOff == true { self?.look() }
            },
        ]
    }

    /// There may be news.
    package func look() {
        guard presence?.state == .running else { return judge(.success(.init(properties: [:]))) }
        guard !isAsking else { return again = true }
        (isAsking, again) = (true, false)
        do throws(ClientError) {
            try client.beginProperties(timeout: .seconds(5)) { [weak self] answer in
                self?.learned(answer.map { DaemonStatus(properties: $0) })
            }
        } catch { answered(.failure(error)) }
    }

    private func learned(_ answer: Result<DaemonStatus, ClientError>) {
        guard case .success(let status) = answer, status[.positionState] != "known" else {
            return answered(answer)
        }
        do throws(ClientError) {
            try client.ask(.getPosition) { [weak self] position in
                var status = status
                let details = (try? position.get())?.first?.asDictionary
                status.position = details.flatMap(ToldPosition.init(bus:))
                self?.answered(.success(status))
            }
        } catch { answered(.failure(error)) }
    }

    private func answered(_ answer: Result<DaemonStatus, ClientError>) {
        isAsking = false
        if case .success(let status) = answer, let text = reminder.text(status.properties) {
            outputs.say(text)
        }
        judge(answer)
        if again { look() }
    }

    private func judge(_ answer: Result<DaemonStatus, ClientError>) {
        let hadHazards = lookout.hasHazards
        let sight = Lookout.Sight(presence?.state ?? .running, answer)
        if let sentence = lookout.look(sight, at: EventLoop.uptime) {
            outputs.say { $0.text(sentence) }
        }
        if lookout.hasHazards != hadHazards { outputs.hazards(lookout.hasHazards) }
        outputs.flaw(lookout.flaw)
        if let next = lookout.next { timer?.arm(at: next) } else { timer?.disarm() }
    }
}

/// Whether the daemon that was here last knew hazards: of one that fails at each start nobody else
/// knows it. An empty file in the directory that the service manager gives; without that, nothing.
package enum HazardMemory {
    private static var path: String? { environment("STATE_DIRECTORY").map { "\($0)/hazards" } }

    /// As it was kept last.
    package static var isKept: Bool { path.map { unsafe access($0, F_OK) == 0 } ?? false }

    /// Keeps it; where it cannot be, it is not known after the next start.
    package static func keep(_ hasHazards: Bool) {
        guard let path else { return }
        guard hasHazards else { return unsafe _ = unlink(path) }
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
