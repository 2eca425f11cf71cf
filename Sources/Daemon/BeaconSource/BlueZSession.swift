import Model
import Systemd
import Time

/// A connection to the bus for BlueZ, while there is a demand. ``step()`` compares the desired with
/// the actual state and makes one call at a time; every event leads there again.
@MainActor
final class BlueZSession {
    struct Handlers {
        var heard: @MainActor ([BeaconSighting]) -> Void
        var status: @MainActor (BeaconRadioStatus) -> Void
        /// The bus is lost: this session can no longer be used.
        var ended: @MainActor () -> Void
    }

    let settings: BeaconRadioSettings
    let handlers: Handlers
    private(set) var demand: BeaconDemand
    var devices = HeardDevices()
    var adapters: Adapters
    private(set) var bus: BusConnection?
    private let loop: EventLoop
    private let priority: Int32
    private var timer: TimerSource?
    private var slots: [BusSlot] = []
    private var objects: MonitorObjects?
    /// The unique name of BlueZ, which alone is believed; nil while it is not on the bus.
    private(set) var owner: String?
    /// BlueZ is on the bus, and has reported its adapters.
    private var isReady = false
    /// The objects of BlueZ, while they are read.
    private var reading: ManagedObjects?
    /// Signals have told of adapters since BlueZ has listed its objects.
    private var isOutdated = false
    /// The adapter on which our monitors are registered.
    private var registered: String?
    /// The adapter on which our discovery runs, and for which round; 0 if there are monitors.
    private var discovering: (path: String, round: Int)?
    /// How often BlueZ has dropped a monitor.
    private var releases = 0
    /// A call has not been answered.
    private var isBusy = false
    /// A call for the properties of a device is pending.
    private var isAsking = false
    private var backOff = BackOff()
    private var rounds = LimitedRounds()
    private var lastHeard = Uptime.boot

    init(
        _ demand: BeaconDemand, on loop: EventLoop, address: BusAddress, adapter: String?,
        priority: Int32, settings: BeaconRadioSettings, handlers: Handlers
    ) throws(SystemError) {
        self.demand = demand
        self.settings = settings
        adapters = Adapters(only: adapter)
        self.handlers = handlers
        self.loop = loop
        self.priority = priority
        // Handlers are called from the loop, after this initializer has finished.
        let bus = try BusConnection(
            to: address, loop: loop, priority: priority,
            disconnected: { [weak self] in self?.handlers.ended() })
        self.bus = bus
        timer = try TimerSource(loop) { [weak self] in self?.step() }
        slots.append(
            try bus.watchName(BlueZ.name) { [weak self] owner in self?.ownerChanged(owner) })
        slots += try subscriptions(on: bus)
    }

    func close() {
        timer = nil
        slots = []
        reading = nil
        objects = nil
        bus?.close()
        bus = nil
    }

    func want(_ demand: BeaconDemand) {
        guard demand != self.demand else { return }
        self.demand = demand
        step()
    }

    /// BlueZ appears or disappears, and with it everything that was requested from it.
    private func ownerChanged(_ owner: String?) {
        isReady = false
        if reading != nil { (reading, isBusy) = (nil, false) }
        registered = nil
        discovering = nil
        rounds.restart()
        devices.removeAll()
        adapters.removeAll()
        backOff.succeed()
        self.owner = owner
        if owner != nil { load() } else { handlers.status(.init(.off, .noBluez)) }
    }

    /// Reads the objects of BlueZ.
    private func load() {
        call("/", BlueZ.objectManager, "GetManagedObjects") { [weak self] result in
            guard let self, owner != nil else { return false }
            if case .success(let message) = result, read(message) { return true }
            handlers.status(.init(.off, .refused))
            return false
        }
    }

    /// Begins to read an answer to GetManagedObjects; nothing is asked until the end.
    private func read(_ message: BusMessage) -> Bool {
        reading = try? ManagedObjects(
            message, on: loop, priority: Int64(priority), most: settings.mostObjects
        ) { [weak self] path in
            self?.isWanted(path) ?? false
        } each: { [weak self] path, interfaces in
            self?.managed(path, interfaces)
        } end: { [weak self] end in
            self?.loaded(end)
        }
        adapters.removeAll()
        isOutdated = false
        isBusy = reading != nil
        return isBusy
    }

    private func loaded(_ end: ManagedObjects.End) {
        (reading, isBusy) = (nil, false)
        guard !isOutdated else { return load() }
        // What was not read matters only if an adapter may be among it.
        isReady = end == .whole || adapters.best != nil
        if isReady {
            backOff.succeed()
        } else {
            handlers.status(.init(.off, end == .tooMany ? .tooManyObjects : .refused))
            fail()
        }
        step()
    }

    // MARK: - Desired and actual state

    func step() {
        guard let bus, let owner, !isBusy else { return }
        let now = EventLoop.uptime
        guard isReady else {
            if !backOff.holds(at: now) { load() }
            return
        }
        guard let best = adapters.best else {
            discovering = nil
            return handlers.status(.init(.off, adapters.reason))
        }
        guard !backOff.holds(at: now) else {
            if let until = backOff.until { timer?.arm(at: until) }
            return handlers.status(.init(registered == nil ? .off : .passive, .refused))
        }
        if restart(at: now, best.path) { return }
        if best.adapter.hasMonitors, monitor(on: best.path, bus, owner) { return }
        if discover(on: best.path, round(best.adapter, at: now)) { return }
        handlers.status(status(best.adapter))
        arm(best.adapter, at: now)
    }

    private func status(_ adapter: Adapters.Adapter) -> BeaconRadioStatus {
        guard adapter.hasMonitors else { return .init(.limited) }
        return .init(discovering == nil ? .passive : .ranging)
    }

    /// Registers the monitors that are needed; true if a call was made.
    private func monitor(on path: String, _ bus: BusConnection, _ owner: String) -> Bool {
        let wanted = MonitorPattern.monitors(for: demand.patterns)
        if let old = registered, old != path || objects?.monitors != wanted {
            registered = nil
            ask(old, BlueZ.monitors, "UnregisterMonitor", [.objectPath(MonitorObjects.root)])
            return true
        }
        guard registered == nil else { return false }
        do throws(SystemError) {
            // The old ones are removed first: the paths are the same.
            objects = nil
            objects = try MonitorObjects(wanted, on: bus, for: owner) { [weak self] path in
                self?.found(path)
            } released: { [weak self] in
                self?.released()
            }
        } catch {
            fail()
            return true
        }
        let before = releases
        ask(path, BlueZ.monitors, "RegisterMonitor", [.objectPath(MonitorObjects.root)]) {
            // Blocked during the call: BlueZ reports success, but has registered nothing.
            guard $0.releases == before else { return $0.fail() }
            $0.registered = path
            $0.lastHeard = EventLoop.uptime
        }
        return true
    }

    /// Starts or stops the discovery; true if a call was made.
    private func discover(on path: String, _ round: Int?) -> Bool {
        if let old = discovering, old.path != path || old.round != round {
            discovering = nil
            ask(old.path, BlueZ.adapter, "StopDiscovery")
            return true
        }
        guard let round, discovering == nil else { return false }
        ask(path, BlueZ.adapter, "SetDiscoveryFilter", [BlueZ.filter]) {
            $0.ask(path, BlueZ.adapter, "StartDiscovery") {
                $0.discovering = (path, round)
                $0.lastHeard = EventLoop.uptime
            }
        }
        return true
    }

    /// The round of discovery that is wanted; nil if none is.
    private func round(_ adapter: Adapters.Adapter, at now: Uptime) -> Int? {
        guard adapter.hasMonitors else {
            return rounds.round(at: now, isActive: demand.isActive, settings)
        }
        return demand.isActive ? 0 : nil
    }

    /// Starts again after too long a silence; true if a call was made.
    private func restart(at now: Uptime, _ path: String) -> Bool {
        if discovering?.path == path, now - lastHeard >= settings.discoverySilence {
            discovering = nil
            ask(path, BlueZ.adapter, "StopDiscovery")
            return true
        }
        if registered == path, now - lastHeard >= settings.monitorSilence {
            registered = nil
            ask(path, BlueZ.monitors, "UnregisterMonitor", [.objectPath(MonitorObjects.root)])
            return true
        }
        return false
    }

    private func arm(_ adapter: Adapters.Adapter, at now: Uptime) {
        var next: Uptime?
        if discovering != nil {
            next = lastHeard + settings.discoverySilence
        } else if registered != nil {
            next = lastHeard + settings.monitorSilence
        }
        if !adapter.hasMonitors, let until = rounds.until { next = min(next ?? until, until) }
        if let next { timer?.arm(at: max(next, now)) } else { timer?.disarm() }
    }

    // MARK: - Calls

    /// Calls BlueZ, and then ``step()``. A state that already exists counts as success.
    private func ask(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        then: @escaping @MainActor (BlueZSession) -> Void = { _ in }
    ) {
        call(path, interface, member, arguments) { [weak self] result in
            guard let self else { return true }
            if case .failure(let error) = result, !BlueZ.isAlready(error) {
                // If it cannot be stopped, it has already stopped.
                return ["UnregisterMonitor", "StopDiscovery"].contains(member)
            }
            backOff.succeed()
            then(self)
            return true
        }
    }

    /// - Parameter answered: false if the call failed; it is repeated after a while.
    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        answered: @escaping @MainActor (Result<BusMessage, BusError>) -> Bool
    ) {
        isBusy = true
        do throws(SystemError) {
            guard let bus else { return }
            try bus.call(
                BlueZ.peer(path, interface), member, arguments, timeout: settings.timeout
            ) { [weak self] result in
                self?.isBusy = false
                if !answered(result) { self?.fail() }
                self?.step()
            }
        } catch {
            isBusy = false
            fail()
        }
    }

    private func fail() {
        backOff.fail(at: EventLoop.uptime)
        if let until = backOff.until { timer?.arm(at: until) }
    }

    // MARK: - Signals of BlueZ

    /// The monitor was dropped: registers it again after a moment, or when the adapter is powered.
    private func released() {
        releases += 1
        // Each of the monitors is released.
        guard registered != nil else { return }
        registered = nil
        fail()
        step()
    }

    /// An adapter has disappeared, and with it everything that was requested from it.
    func adapterLost(_ path: String) {
        isOutdated = true
        if registered == path { registered = nil }
        discoveryLost(path)
        step()
    }

    /// The discovery on this adapter has ended.
    func discoveryLost(_ path: String) {
        guard discovering?.path == path else { return }
        discovering = nil
        rounds.restart()
    }

    /// A call that was refused before may succeed now.
    func powerChanged() {
        isOutdated = true
        backOff.succeed()
        step()
    }

    private func found(_ path: String) {
        lastHeard = EventLoop.uptime
        guard let heard = devices.found(path) else { return lookUp(path) }
        if !heard.isEmpty { handlers.heard(heard) }
    }

    /// Reads the properties of an unknown device; one at a time, since the others will be heard
    /// again.
    private func lookUp(_ path: String) {
        guard !isAsking, let bus else { return }
        isAsking = true
        let pending = try? bus.call(
            BlueZ.peer(path, BlueZ.properties), "GetAll", [.string(BlueZ.device)],
            timeout: settings.timeout
        ) { [weak self] result in
            self?.isAsking = false
            guard let self, let values = try? result.get().values(limits: .call),
                let properties = values.first?.asDictionary
            else { return }
            heard(path, properties, isWhole: true)
        }
        if pending == nil { isAsking = false }
    }

    /// Properties of a device have come: all of them, or what changed.
    func heard(_ path: String, _ properties: [String: BusValue], isWhole: Bool) {
        lastHeard = EventLoop.uptime
        guard let heard = devices.change(path, DeviceSignal(properties), isWhole: isWhole) else {
            return lookUp(path)
        }
        if !heard.isEmpty { handlers.heard(heard) }
    }
}
