import Geodesy
import Geofence1
import Law
import Model
import Monitoring
import Systemd
import Time

extension ManagerService {
    /// Features added since the first version.
    static let features: [String] = [
        "beacons", "consumer-wake", "consumers", "consumers-list", "driver", "event-filters",
        "fence-filters", "ignition", "import", "log-id", "origins", "route", "subscriptions",
        "vehicle",
    ]

    /// Visible only to callers that may read events: they show where the vehicle is. Others
    /// get the empty value.
    private static let restricted: [String: BusValue] = [
        "Window": .strings([]), "MetafenceRadius": .double(0), "Ahead": .array(of: "a{sv}", []),
        "Companions": .array(of: "{sa{sv}}", []), "RouteState": .string(""),
    ]

    /// What the caller may do.
    private static let rights = "Authorization"

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
        let properties = managerProperties().filter { wanted == nil || $0.name == wanted }
        guard isAll || !properties.isEmpty else {
            call.fail(
                BusError(
                    name: "org.freedesktop.DBus.Error.UnknownProperty",
                    message: "no property \"\((wanted ?? "").echoed())\""))
            return .taken
        }
        let isRestricted = properties.contains { Self.restricted[$0.name] != nil }
        let finish = { [weak self] in
            guard isRestricted else {
                self?.answer(call, properties, isAll: isAll, mayRead: false)
                return
            }
            self?.authorizer.check(call, .readEvents) { mayRead in
                self?.answer(call, properties, isAll: isAll, mayRead: mayRead)
            }
        }
        if properties.contains(where: { $0.name == Self.rights }) {
            authorizer.learn(call, then: finish)
        } else {
            finish()
        }
        return .taken
    }

    private func answer(
        _ call: BusCall, _ properties: [BusProperty], isAll: Bool, mayRead: Bool
    ) {
        call.answer {
            let values = try properties.map { property in
                if !mayRead, let empty = Self.restricted[property.name] {
                    return (property.name, empty)
                }
                return (property.name, try property.read(call.sender))
            }
            return isAll ? [.dictionary(values)] : values.prefix(1).map { .variant($0.1) }
        }
    }

    func managerProperties() -> [BusProperty] {
        [
            property("Version", "s", .constant) { .string($0.settings.version) },
            property("Features", "as", .constant) { _ in .strings(Self.features) },
            observed("State", "s"),
            observed("PositionState", "s"),
            BusProperty(Self.rights, "a{ss}", .emitsInvalidation) { [weak self] sender in
                self?.authorization(of: sender) ?? .array(of: "{ss}", [])
            },
            observed("Source", "s"),
            property("Receiver", "s", .silent) { .string($0.hooks.receiver()) },
            observed("Window", "as", .emitsInvalidation),
            observed("WindowSize", "u"),
            observed("MetafenceRadius", "d", .emitsInvalidation),
            observed("FenceCount", "t"),
            observed("Generation", "t"),
            observed("LogId", "s"),
            observed("OldestSeq", "t"),
            observed("LastSeq", "t"),
            property("StartTimestamp", "t", .silent) { $0.startTimestamp },
            property("LastFixTimestamp", "t", .silent) {
                .uint64($0.monitoring.lastFix?.time.microseconds ?? 0)
            },
            property("LastFixTimestampMonotonic", "t", .silent) {
                .uint64($0.monitoring.lastFix?.arrival.microseconds ?? 0)
            },
            property("Odometer", "d", .silent) { .double($0.monitoring.odometer) },
            property("Wheels", "s", .silent) {
                .string($0.monitoring.wheelState(at: $0.now).rawValue)
            },
            property("VehicleOdometer", "d", .silent) {
                .double($0.monitoring.vehicleOdometer ?? -1)
            },
            property("WheelCounters", "a{st}", .silent) { service in
                .array(
                    of: "{st}",
                    service.monitoring.wheelCounters.map {
                        .entry(.string($0.name), .uint64($0.count))
                    })
            },
            property("FixCounters", "a{st}", .silent) { $0.fixCounters },
            observed("Vehicle", "a{sv}"),
            property("Ahead", "aa{sv}", .silent) { $0.aheadProperty },
            observed("BeaconState", "s"),
            observed("BeaconReason", "s"),
            observed("RangingAvailable", "b"),
            observed("Companions", "a{sa{sv}}", .emitsInvalidation),
            property("Ignition", "s", .silent) { $0.ignitionProperty },
            property("Resting", "b", .silent) { .bool($0.monitoring.isResting) },
            observed("RouteState", "s", .emitsInvalidation),
            observed("Degraded", "as"),
        ]
    }

    /// By the wall clock as it is now: it may have been wrong when the program began.
    private var startTimestamp: BusValue {
        let wall = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        return .uint64((wall + (hooks.began - EventLoop.uptime)).microseconds)
    }

    /// The present values.
    var observed: Observed {
        let window = monitoring.window
        shownWindow.show(window, monitoring.generation)
        return Observed(
            troubles: monitoring.degradations,
            beacons: monitoring.beaconRadio,
            companions: companionsProperty,
            fenceCount: UInt64(max(0, monitoring.fenceCount)),
            generation: monitoring.generation,
            lastSeq: monitoring.lastSeq,
            logID: monitoring.logID,
            metafenceRadius: max(0, window?.metafenceRadius ?? 0),
            oldestSeq: monitoring.oldestSeq,
            position: monitoring.position,
            route: monitoring.routeState,
            source: hooks.source(),
            vehicle: monitoring.vehicleState(at: now),
            window: shownWindow.ids,
            windowSize: UInt32(clamping: max(monitoring.windowSize, window?.regions.count ?? 0)))
    }

    private func observed(
        _ name: String, _ type: String, _ change: BusPropertyChange = .emitsValue
    ) -> BusProperty {
        BusProperty(name, type, change) { [weak self] _ throws(BusError) in
            guard let self,
                let option = observed.options(changedSince: nil).first(where: { $0.key == name })
            else { throw BusError(name: BusError.failed, message: "the service is going") }
            return option.value
        }
    }

    private func property(
        _ name: String, _ type: String, _ change: BusPropertyChange,
        read: @escaping @MainActor (ManagerService) -> BusValue
    ) -> BusProperty {
        BusProperty(name, type, change) { [weak self] _ throws(BusError) in
            guard let self else {
                throw BusError(name: BusError.failed, message: "the service is going")
            }
            return read(self)
        }
    }

    private func authorization(of sender: String?) -> BusValue {
        let known = sender.map { authorizer.known($0) } ?? [:]
        return .array(
            of: "{ss}",
            Geofence1.Action.allCases.map { action in
                .entry(.string(action.key), .string((known[action] ?? .unknown).rawValue))
            })
    }

    private var fixCounters: BusValue {
        let counters = monitoring.engine.counters
        return .array(
            of: "{st}",
            [.entry(.string("accepted"), .uint64(counters.accepted))]
                + Refusal.allCases.map {
                    .entry(.string($0.name), .uint64(counters[$0]))
                })
    }
}

/// The values of the properties whose changes are signalled.
struct Observed {
    let troubles: [Trouble]
    let beacons: BeaconRadioStatus
    let companions: BusValue
    let fenceCount: UInt64
    let generation: UInt64
    let lastSeq: UInt64
    let logID: String
    /// 0 if there is no metafence: the window is the whole catalogue.
    let metafenceRadius: Double
    let oldestSeq: UInt64
    let position: String
    let route: String
    let source: String
    let vehicle: VehicleState
    let window: [String]
    let windowSize: UInt32

    private var state: String { troubles.isEmpty ? "running" : "degraded" }

    /// The properties that differ from those of `old`, in the order in which they are announced;
    /// all of them without `old`.
    func options(changedSince old: Observed?) -> [BusOption] {
        var options: [BusOption] = []
        func tell(_ name: String, unless isTold: Bool, _ value: @autoclosure () -> BusValue) {
            if !isTold { options.append(BusOption(name, value())) }
        }
        tell(
            "BeaconReason", unless: old?.beacons.reason == beacons.reason,
            .string(beacons.reason.rawValue))
        tell(
            "BeaconState", unless: old?.beacons.state == beacons.state,
            .string(beacons.state.rawValue))
        tell("Companions", unless: old?.companions == companions, companions)
        tell("Degraded", unless: old?.troubles == troubles, .strings(troubles.map(\.rawValue)))
        tell("FenceCount", unless: old?.fenceCount == fenceCount, .uint64(fenceCount))
        tell("Generation", unless: old?.generation == generation, .uint64(generation))
        tell("LastSeq", unless: old?.lastSeq == lastSeq, .uint64(lastSeq))
        tell("LogId", unless: old?.logID == logID, .string(logID))
        tell(
            "MetafenceRadius", unless: old?.metafenceRadius == metafenceRadius,
            .double(metafenceRadius))
        tell("OldestSeq", unless: old?.oldestSeq == oldestSeq, .uint64(oldestSeq))
        tell("PositionState", unless: old?.position == position, .string(position))
        tell(
            "RangingAvailable", unless: old?.beacons.isAvailable == beacons.isAvailable,
            .bool(beacons.isAvailable))
        tell("RouteState", unless: old?.route == route, .string(route))
        tell("Source", unless: old?.source == source, .string(source))
        tell("State", unless: old?.state == state, .string(state))
        tell("Vehicle", unless: old?.vehicle == vehicle, vehicle.property)
        tell("Window", unless: old?.window == window, .strings(window))
        tell("WindowSize", unless: old?.windowSize == windowSize, .uint32(windowSize))
        return options
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
