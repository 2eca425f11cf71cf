import Geodesy
import Geofence1
import Law
import Model
import Monitoring
import Systemd
import Time

extension ManagerService {
    /// The value of each row of ``StatusRow/all``, in the same order.
    private static let values: [ToldValue] = [
        .init(.version) { $0.settings.version },
        .init(.features) { _ in Geofence1.features },
        .init(.state) { $0.monitoring.degradations.isEmpty ? "running" : "degraded" },
        .init(.source) { $0.hooks.source() },
        .init(.receiver) { $0.hooks.receiver() },
        .init(.positionState) { $0.monitoring.position },
        ToldValue(StatusProperty.authorization.row) { service, sender in
            StatusProperty.authorization.bus(service.rights(of: sender))
        },
        .init(.degraded) { $0.monitoring.degradations.map(\.rawValue) },
        .init(.started) { $0.started },
        .init(.lastFix) { $0.monitoring.lastFix?.time },
        .init(.lastFixArrival) { $0.monitoring.lastFix?.arrival },
        .init(.fixCounters) { $0.fixCounters },
        .init(.fixInterval) { $0.monitoring.engine.pace?.seconds },
        .init(.odometer) { $0.monitoring.odometer },
        .init(.wheels) { $0.monitoring.wheelState(at: $0.now).rawValue },
        .init(.vehicleOdometer) { $0.monitoring.vehicleOdometer },
        .init(.wheelCounters) { $0.monitoring.wheelCounters.map { ToldCount($0.name, $0.count) } },
        .init(.window) { service in
            service.status.window.show(service.monitoring.window, service.monitoring.generation)
            return service.status.window.ids
        },
        .init(.windowSize) {
            UInt32(
                clamping: max(
                    $0.monitoring.windowSize, $0.monitoring.window?.regions.count ?? 0))
        },
        .init(.metafenceRadius) { $0.monitoring.window?.metafenceRadius.map { max(0, $0) } },
        .init(.fenceCount) { UInt64(max(0, $0.monitoring.fenceCount)) },
        .init(.generation) { $0.monitoring.generation },
        .init(.logID) { $0.monitoring.logID },
        .init(.oldestSeq) { $0.monitoring.oldestSeq },
        .init(.lastSeq) { $0.monitoring.lastSeq },
        .init(.beaconState) { $0.monitoring.beaconRadio.state.rawValue },
        .init(.beaconReason) { $0.monitoring.beaconRadio.reason.rawValue },
        .init(.rangingAvailable) { $0.monitoring.beaconRadio.isAvailable },
        .init(.companions) { $0.companions },
        .init(.vehicle) { $0.monitoring.vehicleState(at: $0.now) },
        .init(.ignition) { $0.monitoring.ignition.map { $0 ? "on" : "off" } ?? "unknown" },
        .init(.resting) { $0.monitoring.isResting },
        .init(.routeState) { $0.monitoring.routeState },
        .init(.ahead) { $0.monitoring.engine.ahead },
    ]

    /// Get and GetAll of the manager's properties: unlike sd-bus we may have to wait until the
    /// caller is identified, and until it is known what it may do.
    func readProperties(_ message: BusMessage) -> BusAdmission {
        let call = BusCall(message)
        count(call)
        let isAll = message.member == "GetAll"
        guard
            isAll && message.signature == "s"
                || message.member == "Get"
                    && message.signature == "ss"
        else {
            // Such as Set: refused by sd-bus.
            accounts.sent(512, to: call.sender)
            return .pass
        }
        let arguments: [BusValue]
        do throws(BusError) {
            arguments = try call.arguments(limits: BusLimits(values: 2, bytes: 1024))
        } catch {
            call.fail(error)
            return .taken
        }
        let interface = arguments.first?.asString ?? ""
        guard interface == Geofence1.managerInterface || interface.isEmpty else { return .pass }
        let wanted = isAll ? nil : arguments.last?.asString
        let asked = Self.values.filter { wanted == nil || $0.row.name == wanted }
        guard isAll || !asked.isEmpty else {
            call.fail(
                BusError(
                    name: "org.freedesktop.DBus.Error.UnknownProperty",
                    message: "no property \"\((wanted ?? "").echoed())\""))
            return .taken
        }
        let finish = { [weak self] in
            guard asked.contains(where: \.row.isRestricted) else {
                self?.answer(call, asked, isAll: isAll, mayRead: false)
                return
            }
            self?.authorizer.check(call, .readEvents) { mayRead in
                self?.answer(call, asked, isAll: isAll, mayRead: mayRead)
            }
        }
        if asked.contains(where: { $0.row.name == StatusProperty.authorization.row.name }) {
            authorizer.learn(call, then: finish)
        } else {
            finish()
        }
        return .taken
    }

    private func answer(_ call: BusCall, _ asked: [ToldValue], isAll: Bool, mayRead: Bool) {
        call.answer {
            let values = asked.map { value in
                let isHidden = !mayRead && value.row.isRestricted
                return (
                    value.row.name, isHidden ? value.row.nothing : value.read(self, call.sender)
                )
            }
            return isAll ? [.dictionary(values)] : values.prefix(1).map { .variant($0.1) }
        }
    }

    func managerProperties() -> [BusProperty] {
        Self.values.map { value in
            BusProperty(value.row.name, value.row.signature, value.row.change) {
                [weak self] sender throws(BusError) in
                guard let self else {
                    throw BusError(name: BusError.failed, message: "the service is going")
                }
                return value.read(self, sender)
            }
        }
    }

    /// Those whose changes are signalled, as they are now.
    func presentValues() -> [BusOption] {
        Self.values.filter { $0.row.isSignalled }.map {
            BusOption($0.row.name, $0.read(self, nil))
        }
    }

    /// By the wall clock as it is now: it may have been wrong when the program began.
    private var started: UTCTime {
        UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) + (hooks.began - EventLoop.uptime)
    }

    private func rights(of sender: String?) -> [ToldRight] {
        let known = sender.map { authorizer.known($0) } ?? [:]
        return Geofence1.Action.allCases.map { action in
            ToldRight(action.key, (known[action] ?? .unknown).rawValue)
        }
    }

    private var fixCounters: [ToldCount] {
        let counters = monitoring.engine.counters
        return [ToldCount("accepted", counters.accepted)]
            + Refusal.allCases.map { ToldCount($0.name, counters[$0]) }
    }
}

/// The value of a row.
@MainActor
private struct ToldValue {
    let row: StatusRow
    /// For the caller of that name; nil: for everybody.
    let read: (ManagerService, _ sender: String?) -> BusValue

    init(_ row: StatusRow, read: @escaping @MainActor (ManagerService, String?) -> BusValue) {
        self.row = row
        self.read = read
    }

    init<Value>(
        _ property: StatusProperty<Value>,
        _ value: @escaping @MainActor (ManagerService) -> Value
    ) {
        self.init(property.row) { service, _ in property.bus(value(service)) }
    }
}

/// The ids of the property `Window`, collected again only when the window has other fences.
struct ShownWindow {
    private(set) var ids: [String] = []
    /// The window was reported to have changed.
    var isStale = true
    private var anchor: SurfacePoint?
    private var generation: Generation = 0
    private var entries: [CatalogueEntry] = []

    /// A window with the same anchor and catalogue as before is the same unless it was reported to
    /// have changed, or has taken in fences that a path met outside of it.
    mutating func show(_ window: Window?, _ generation: Generation) {
        let regions = window?.regions ?? []
        guard
            isStale || window?.anchor != anchor || generation != self.generation
                || regions.count != entries.count
        else { return }
        isStale = false
        anchor = window?.anchor
        self.generation = generation
        guard !isShown(regions) else { return }
        entries = regions.map(\.entry)
        ids = entries.map(\.id)
    }

    /// Entries that have stayed are the same objects; the monitors around them are not copied.
    private func isShown(_ regions: [RegionMonitor]) -> Bool {
        guard regions.count == entries.count else { return false }
        for index in regions.indices where regions[index].entry != entries[index] { return false }
        return true
    }
}
