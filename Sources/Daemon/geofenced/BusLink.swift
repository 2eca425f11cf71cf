import BusService
import EventSinks
import Model
import Monitoring
import Settings
import Systemd
import Time

/// The daemon's connection to the bus, opened again whenever the bus comes back. Monitoring
/// continues without it.
@MainActor
final class BusLink {
    private let address: BusAddress
    private let loop: EventLoop
    private let monitoring: MonitoringService
    private let settings: BusServiceSettings
    private let sink: BusSignalSink
    private let reporting: Reporting
    private let hooks: BusServiceHooks
    private let now: () -> Uptime
    private var connection: BusConnection?
    /// Nil while there is no bus: then nobody has to be told anything.
    private(set) var manager: ManagerService?
    private var retry: TimerSource?
    private var backOff = BackOff()
    private var isReported = false

    init(
        _ address: BusAddress, loop: EventLoop, monitoring: MonitoringService,
        settings: BusServiceSettings, hooks: BusServiceHooks, reporting: Reporting,
        now: @escaping () -> Uptime
    ) throws(SystemError) {
        self.address = address
        self.loop = loop
        self.monitoring = monitoring
        self.settings = settings
        self.hooks = hooks
        self.reporting = reporting
        self.now = now
        sink = BusSignalSink()
        monitoring.add(sink)
        sink.onAnnounced = { [weak self] in self?.manager?.announced($0) }
        retry = try TimerSource(loop) { [weak self] in self?.connect() }
        connect()
    }

    /// The bus has stopped reading from us: the next connection takes the name from the dead one.
    private var hasStalled = false

    /// For an orderly stop: sends what is still queued, for a moment.
    func stop() {
        connection?.flush(timeout: .milliseconds(500))
        drop()
    }

    private func connect() {
        drop()
        do throws(SystemError) {
            let connection = try BusConnection(
                to: address, loop: loop,
                disconnected: { [weak self] in self?.lost("the bus has gone") })
            self.connection = connection
            var hooks = hooks
            hooks.notify = { [weak self] in self?.carryOut($0) }
            manager = try ManagerService(
                connection: connection, loop: loop, monitoring: monitoring, settings: settings,
                hooks: hooks, afterStall: hasStalled)
        } catch {
            lost("\(error)")
        }
    }

    /// Carries out what is about the connection, and passes on the rest.
    private func carryOut(_ notice: BusNotice) {
        switch notice {
        case .nameChanged(let isOurs): nameChanged(isOurs)
        case .nameRefused(let why): lost(why)
        case .stalled:
            hasStalled = true
            lost("the bus does not read")
        case .reload, .ranging, .log: hooks.notify(notice)
        }
    }

    private func nameChanged(_ isOurs: Bool) {
        sink.connection = isOurs ? connection : nil
        guard isOurs else { return }
        backOff.succeed()
        hasStalled = false
        if isReported { reporting.notice("on the bus again") }
        isReported = false
        monitoring.sinkIsReady(at: now())
    }

    /// Called from within the connection: it is released on the next turn of the loop.
    private func lost(_ why: String) {
        sink.connection = nil
        if !isReported { reporting.warning("no bus: \(why); trying again") }
        isReported = true
        let present = EventLoop.uptime
        backOff.fail(at: present)
        if let until = backOff.until { retry?.arm(at: until) }
    }

    private func drop() {
        sink.connection = nil
        manager = nil
        connection = nil
        // The sessions have ended with the connection.
        hooks.notify(.ranging([]))
    }
}
