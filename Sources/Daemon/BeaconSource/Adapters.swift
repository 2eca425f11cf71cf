import Model

/// The adapters that BlueZ has reported.
struct Adapters {
    struct Adapter: Hashable, Sendable {
        var isPowered = false
        /// `off-blocked` if rfkill blocks it; older versions do not report this.
        var isBlocked = false
        /// It has the interface AdvertisementMonitorManager1, which is experimental.
        var hasMonitors = false
    }

    /// The only one that may be used, such as `hci1`; nil for any.
    let only: String?
    /// How many are kept; a computer has one or two.
    private static let most = 64
    /// By object path, `/org/bluez/hci0`.
    private(set) var all: [String: Adapter] = [:]

    init(only: String? = nil) { self.only = only }

    mutating func removeAll() { all = [:] }

    mutating func remove(_ path: String) { all[path] = nil }

    /// Updates the properties of an adapter; adds one that is new.
    mutating func change(_ path: String, _ body: (inout Adapter) -> Void) {
        guard path.hasPrefix("/org/bluez/hci"), only.map({ path == "/org/bluez/\($0)" }) ?? true,
            all[path] != nil || all.count < Self.most
        else { return }
        body(&all[path, default: Adapter()])
    }

    /// The powered adapter with the lowest number.
    var best: (path: String, adapter: Adapter)? {
        all.filter(\.value.isPowered).min { Self.precedes($0.key, $1.key) }.map {
            ($0.key, $0.value)
        }
    }

    /// Why there is no such adapter.
    var reason: BeaconRadioReason {
        if best != nil { return .none }
        if all.isEmpty { return .noAdapter }
        return all.values.contains(where: \.isBlocked) ? .blocked : .poweredOff
    }

    /// Sorts hci2 before hci10.
    private static func precedes(_ a: String, _ b: String) -> Bool {
        (a.utf8.count, a) < (b.utf8.count, b)
    }
}
