import Fencing
import Geofence1
import Systemd
import Tracking

extension ManagerService {
    /// What this version can do beyond the first.
    static let features: [String] = ["consumers", "import", "subscriptions"]

    func managerProperties() -> [BusProperty] {
        [
            property("Version", "s", .constant) { .string($0.settings.version) },
            property("Features", "as", .constant) { _ in .strings(Self.features) },
            observed("State", "s"),
            observed("PositionState", "s"),
            BusProperty("Authorization", "a{ss}", .emitsInvalidation) { [weak self] sender in
                self?.authorization(of: sender) ?? .array(of: "{ss}", [])
            },
            observed("Source", "s"),
            observed("Window", "as", .emitsInvalidation),
            observed("WindowSize", "u"),
            observed("MetafenceRadius", "d", .emitsInvalidation),
            observed("FenceCount", "t"),
            observed("Generation", "t"),
            observed("OldestSeq", "t"),
            observed("LastSeq", "t"),
            property("LastFixTimestamp", "t", .silent) {
                .uint64($0.tracking.engine.lastFix?.time.microseconds ?? 0)
            },
            property("LastFixTimestampMonotonic", "t", .silent) {
                .uint64($0.tracking.engine.lastFix?.arrival.microseconds ?? 0)
            },
            property("FixCounters", "a{st}", .silent) { $0.fixCounters },
            observed("Degraded", "as"),
        ]
    }

    /// The values whose changes are signalled, each at a place of its own, in the order in which
    /// they are told.
    func observableProperties() -> [BusOption] {
        let engine = tracking.engine
        let window = engine.window
        let troubles = tracking.degradations
        shownWindow.show(window?.regions ?? [])
        return [
            BusOption("Degraded", .strings(troubles.map(\.rawValue))),
            BusOption("FenceCount", .uint64(UInt64(max(0, tracking.fenceCount)))),
            BusOption("Generation", .uint64(tracking.generation)),
            BusOption("LastSeq", .uint64(tracking.lastSeq)),
            // 0 where there is no metafence: the window is the whole catalogue.
            BusOption("MetafenceRadius", .double(max(0, window?.metafenceRadius ?? 0))),
            BusOption("OldestSeq", .uint64(tracking.oldestSeq)),
            BusOption(
                "PositionState",
                .string(
                    engine.isPositionLost ? "lost" : engine.lastFix == nil ? "unknown" : "known")),
            BusOption("Source", .string(hooks.source())),
            BusOption("State", .string(troubles.isEmpty ? "running" : "degraded")),
            BusOption("Window", shownWindow.ids),
            BusOption(
                "WindowSize",
                .uint32(
                    UInt32(clamping: max(tracking.windowSize, window?.regions.count ?? 0)))),
        ]
    }

    private func observed(
        _ name: String, _ type: String, _ change: BusPropertyChange = .emitsValue
    ) -> BusProperty {
        BusProperty(name, type, change) { [weak self] _ throws(BusError) in
            guard let self,
                let option = observableProperties().first(where: { $0.key == name })
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
        let counters = tracking.engine.counters
        return .array(
            of: "{st}",
            [.entry(.string("accepted"), .uint64(counters.accepted))]
                + Refusal.allCases.map {
                    .entry(.string($0.name), .uint64(counters[$0]))
                })
    }
}

/// The property `Window`, made anew only when the window has other fences.
struct ShownWindow {
    private var entries: [CatalogueEntry] = []
    private(set) var ids = BusValue.strings([])

    mutating func show(_ regions: [FenceMonitor]) {
        guard !isShown(regions) else { return }
        entries = regions.map(\.entry)
        ids = .strings(entries.map(\.fence.id))
    }

    /// Entries that have stayed are the same object; the monitors around them are not copied.
    private func isShown(_ regions: [FenceMonitor]) -> Bool {
        guard regions.count == entries.count else { return false }
        for index in regions.indices where regions[index].entry != entries[index] { return false }
        return true
    }
}
