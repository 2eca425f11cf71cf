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

    /// The values whose changes are signalled.
    func observableProperties() -> [String: BusValue] {
        let engine = tracking.engine
        let troubles = tracking.degradations
        return [
            "State": .string(troubles.isEmpty ? "running" : "degraded"),
            "PositionState": .string(
                engine.isPositionLost ? "lost" : engine.lastFix == nil ? "unknown" : "known"),
            "Source": .string(hooks.source()),
            "Window": .strings(engine.window?.regions.map(\.entry.fence.id) ?? []),
            "WindowSize": .uint32(
                UInt32(clamping: max(tracking.windowSize, engine.window?.regions.count ?? 0))),
            // 0 where there is no metafence: the window is the whole catalogue.
            "MetafenceRadius": .double(max(0, engine.window?.metafenceRadius ?? 0)),
            "FenceCount": .uint64(UInt64(max(0, tracking.fenceCount))),
            "Generation": .uint64(tracking.generation),
            "OldestSeq": .uint64(tracking.oldestSeq),
            "LastSeq": .uint64(tracking.lastSeq),
            "Degraded": .strings(troubles.map(\.rawValue)),
        ]
    }

    private func observed(
        _ name: String, _ type: String, _ change: BusPropertyChange = .emitsValue
    ) -> BusProperty {
        BusProperty(name, type, change) { [weak self] _ throws(BusError) in
            guard let self, let value = telling?[name] ?? observableProperties()[name] else {
                throw BusError(name: BusError.failed, message: "the service is going")
            }
            return value
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
