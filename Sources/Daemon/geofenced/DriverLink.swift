import Configuration
import Model
import Monitoring
import SharedLimits
import Systemd
import Time
import VehicleInputs

/// What says who drives beside a call, as the settings name it: a signal on the bus, a file, and beacons
/// that drivers carry. No line of the log contains an id.
@MainActor
final class DriverLink {
    private let monitoring: MonitoringService
    private let reporting: Reporting
    /// By the id of a fence.
    private let keys: [String: String]
    private var words = DriverWords()
    private var signal: SignalWatch?
    private var file: TextFile?
    /// What could not be stored, and who drove then.
    private var owed: (id: String, source: DriverSource, present: RecordedDriver?)?
    private var retry: TimerSource?

    private static let retryInterval = TimeSpan.seconds(10)

    /// - Parameter address: the bus of the signal.
    init(
        _ sources: Settings.DriverSources, on address: BusAddress, loop: EventLoop,
        monitoring: MonitoringService, reporting: Reporting
    ) throws(SystemError) {
        self.monitoring = monitoring
        self.reporting = reporting
        keys = sources.keys
        retry = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.payOwed() }
        if let line = sources.signal {
            signal = try SignalWatch(
                on: loop, address: address, line: line, raw: { [weak self] in self?.heard($0) }
            ) { [weak self] in self?.reporting.input("driver", $0) }
        }
        if !sources.file.isEmpty {
            file = try TextFile(on: loop, path: sources.file, limit: SharedLimits.driverID) {
                [weak self] in self?.read($0)
            }
        }
        lookForKeys()
    }

    /// A key that came while nobody took its word: before the settings named it, or right before a kill,
    /// after which its presence is uncertain.
    private func lookForKeys() {
        guard !keys.isEmpty,
            let states = try? monitoring.states(of: keys.keys.sorted(), at: EventLoop.uptime)
        else { return }
        let newest = states.filter { $0.state.presence == .inside }
            .compactMap { state in state.state.changed.map { (id: state.id, time: $0) } }
            .max { ($0.time, $0.id) < ($1.time, $1.id) }
        guard let newest, monitoring.driver.map({ $0.since < newest.time }) ?? true else { return }
        opened(newest.id)
    }

    /// A beacon fence has a stay that begins.
    func opened(_ fence: String) {
        if let driver = keys[fence] { set(driver, by: .beacon) }
    }

    private func heard(_ value: BusValue) {
        guard let text = value.asString else {
            return reporting.input("driver", .unclear("the value has the type \(value.signature)"))
        }
        hear(text, from: .signal)
    }

    private func read(_ content: TextFile.Content) {
        switch content {
        case .text(let text): hear(text, from: .file)
        case .missing: words.fellSilent(.file)
        case .refused(let why): reporting.input("driver", .unclear("the file: \(why)"))
        }
    }

    private func hear(_ word: String, from source: DriverSource) {
        if !word.isEmpty, let flaw = RecordedDriver.flaw(in: word) {
            return reporting.input("driver", .unclear("of the \(source.rawValue): \(flaw)"))
        }
        guard words.hear(word, from: source, present: monitoring.driver) else { return }
        set(word, by: source)
    }

    private func set(_ id: String, by source: DriverSource) {
        owed = nil
        let before = monitoring.driver
        do {
            try monitoring.setDriver(id.isEmpty ? nil : id, by: source, at: EventLoop.uptime)
        } catch {
            owed = (id, source, before)
            retry?.arm(at: EventLoop.uptime + Self.retryInterval)
            return reporting.driverNotStored("\(error)")
        }
        guard monitoring.driver?.number != before?.number else { return }
        reporting.driverStored(
            "the driver was \(id.isEmpty ? "cleared" : "set") by a \(source.rawValue)")
    }

    /// A later word, also of a caller, is newer than what is owed.
    private func payOwed() {
        guard let owed, owed.present == monitoring.driver else { return self.owed = nil }
        set(owed.id, by: owed.source)
    }
}
