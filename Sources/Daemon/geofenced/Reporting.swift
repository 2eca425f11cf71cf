import EventSinks
import FixSources
import Formats
import Model
import Monitoring
import Settings
import Storage
import Systemd
import Time
import VehicleInputs

/// The daemon's log lines, with a message id if the catalog explains it. Libraries do not log;
/// everything goes through here.
@MainActor
final class Reporting {
    private let log: Log
    /// What may begin and end all the time.
    private let recurring: RecurringLines
    private var isSourceLost = false

    init(_ log: Log, _ loop: EventLoop) throws(SystemError) {
        self.log = log
        recurring = try RecurringLines(log, loop)
    }

    func info(_ text: String, _ id: MessageID? = nil) {
        log.write(.info, text, messageID: id?.rawValue)
    }

    func notice(_ text: String, _ id: MessageID? = nil) {
        log.write(.notice, text, messageID: id?.rawValue)
    }

    func warning(_ text: String, _ id: MessageID? = nil) {
        log.write(.warning, text, messageID: id?.rawValue)
    }

    func error(_ text: String, _ id: MessageID? = nil) {
        log.write(.error, text, messageID: id?.rawValue)
    }

    func problems(_ problems: [SettingsProblem]) {
        for problem in problems { warning("\(problem)", .configurationProblem) }
    }

    func setAside(_ files: [QuarantinedFile]) {
        for file in files { error("\(file)", .storeSetAside) }
    }

    func foreign(_ objects: [String]) {
        for object in objects {
            warning("not of geofenced, and without effect: \(object)")
        }
    }

    func crashLoop(_ measures: [String]) {
        for measure in measures { error(measure, .crashLoop) }
    }

    func trouble(_ trouble: Trouble, _ change: TroubleChange) {
        // Logged by ``source(_:)`` and ``crashLoop(_:)``, with more detail.
        guard trouble != .source, trouble != .crashLoop else { return }
        let name = trouble.rawValue
        // Of its own: what is noted often does not put off that it has begun.
        let notes = "\(name), noted"
        switch change {
        case .began(let why):
            recur(.warning, "degraded (\(name)): \(why)", .degraded, about: name)
        case .ended:
            recurring.withdraw(notes)
            recur(.notice, "works again: \(name)", .recovered, about: name)
        case .noted(let what):
            let id: MessageID? = trouble == .windowGrew ? .windowGrew : nil
            recur(.notice, "\(name): \(what)", id, about: notes)
        }
    }

    private func recur(
        _ priority: LogPriority, _ text: String, _ id: MessageID? = nil, about subject: String
    ) {
        recurring.write(.init(priority, text, messageID: id?.rawValue), about: subject)
    }

    /// Returns what is wrong with the source; nil if nothing is.
    func source(_ state: FixSourceState) -> String? {
        switch state {
        case .connecting: return nil
        case .connected(let name):
            recurring.withdraw("source")
            info("fixes come from \(name)", isSourceLost ? .sourceRegained : nil)
            isSourceLost = false
            return nil
        case .silent: return lost("the source says nothing")
        case .unreadable:
            return lost("what the source says is no NMEA; is the line at another speed?")
        case .deviceLost(let device): return lost("the receiver has gone: \(device)")
        case .waiting(let why, _): return lost("no fixes: \(why); trying again")
        case .ended(let why):
            if let why { error("the source ended: \(why)") } else { info("the source ended") }
            return why
        }
    }

    private func lost(_ text: String) -> String {
        isSourceLost = true
        recur(.warning, text, .sourceLost, about: "source")
        return text
    }

    /// An input of the vehicle; it is logged if it is not well.
    func input(_ name: String, _ reading: InputReading) {
        switch reading {
        case .on, .off: recurring.withdraw(name)
        case .unclear(let why), .absent(let why), .silent(let why):
            recur(.notice, "no \(name): \(why)", about: name)
        }
    }

    /// Who drives could not be stored.
    func driverNotStored(_ why: String) {
        recur(.error, "the driver stays, to be tried again: \(why)", about: "driver")
    }

    func driverStored(_ what: String) {
        recurring.withdraw("driver")
        notice(what)
    }

    /// What the vehicle says of its motion is not believed.
    func wheels(refused reason: String) {
        recur(.notice, "a motion of the wheels is refused: \(reason)", about: "wheels")
    }

    func fenceFile(_ file: String, _ outcome: FenceFiles.Outcome) {
        switch outcome {
        case .loaded(let change):
            for warning in change.warnings { notice("\(file): \(warning)") }
            guard change.changed + change.removed > 0 else { return }
            info(
                "\(file): \(counted(change.changed, "fence")) new or changed, \(change.removed) removed"
            )
        case .gone(let change):
            info("\(file): gone, \(counted(change.removed, "fence")) removed")
        case .refused(let problem):
            error("\(problem); the fences it had stay", .fenceFileProblem)
        }
    }
}
