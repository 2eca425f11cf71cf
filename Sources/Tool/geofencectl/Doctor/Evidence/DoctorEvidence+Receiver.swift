/// What a gpsd said, asked directly.
struct GpsdEvidence: Sendable {
    /// `localhost:2947`, or the path of its socket.
    var place = "localhost:2947"
    /// The host's name could not be resolved.
    var isUnresolved = false
    /// Where it is, 4 or 16 bytes each; none for a UNIX socket.
    var addresses: [[UInt8]] = []
    /// Why there is no connection; nil if there is one.
    var failure: String?
    /// No answer came to the connection, or a refusal from in between.
    var isUnanswered = false
    /// On this machine somebody listens there.
    var isListenedTo = false
    /// Whether anything came from there.
    var hasSpoken = false
    /// From its greeting; nil if none came.
    var release: String?
    /// The error that it answered with.
    var complaint: String?
    /// Its receivers.
    var devices: [Device] = []
    /// The only receiver that is wanted; nil for any.
    var wanted: String?
    /// How long it was listened to, s.
    var seconds = 0.0
    /// Its last report of a position, or of none.
    var report: Report?
    /// Satellites in view and used, as it says; nil if it did not.
    var satellites: (seen: Int, used: Int)?
    /// The fixes of a parked vehicle, and for how long they were collected, s; nil if they were not.
    var parked: (fixes: ParkedFixes, seconds: Double)?
    /// Other gpsds that run here: `port 4711 (process 123)`.
    var elsewhere: [String] = []

    /// One receiver.
    struct Device: Sendable {
        /// As gpsd names it.
        var path: String
        /// It is open.
        var isActive: Bool
        /// What gpsd takes it for; empty if it does not know yet.
        var driver: String
    }

    /// It is on this machine.
    var isHere: Bool {
        !addresses.contains { address in
            address.count == 4
                ? address[0] != 127 : address != [UInt8](repeating: 0, count: 15) + [1]
        }
    }

    /// By which gpsd reads that receiver; empty if that is not known.
    func driver(of device: String) -> String {
        devices.first { $0.path == device }?.driver ?? ""
    }

    /// One TPV object.
    struct Report: Sendable {
        /// The receiver; empty if it is not told.
        var device = ""
        /// 0 and 1 are no fix, 2 is 2D, 3 is 3D.
        var mode = 0
        /// Seconds since 1970 by the receiver; nil if it has no date.
        var time: Double?
        /// Seconds since 1970 by the wall clock, when it came.
        var arrival = 0.0
        /// Radius as it is stated, m; nil if none is.
        var error: Double?
    }
}

/// A receiver that the daemon reads itself. It is not opened: what one program reads, another does
/// not get.
struct LineEvidence: Sendable {
    /// Where it is.
    var path = ""
    /// Why it is not there; nil if it is.
    var failure: String?
    /// `crw-rw---- root:dialout`.
    var permissions = ""
    /// Whether the daemon's user may read it; nil if that is not known.
    var isReadable: Bool?
    /// The user that the daemon runs as.
    var user = "geofenced"
}

/// The daemon's unit, as the service manager has it.
struct UnitEvidence: Sendable {
    /// `loaded`, `not-found`, `masked`.
    var loadState = "loaded"
    /// `active`, `inactive`, `failed`, `activating`.
    var activeState = "active"
    /// `running`, `dead`, `auto-restart`.
    var subState = "running"
    /// Why it ended last: `success`, `exit-code`, `watchdog`.
    var result = "success"
    /// How often it was restarted.
    var restarts: UInt64 = 0
    /// Its files have changed since they were read.
    var needsReload = false
    /// 0 if it does not run.
    var mainPID: UInt64 = 0
    /// `User=`.
    var user = "geofenced"
    /// `SupplementaryGroups=`.
    var groups: [String] = []
    /// `IPAddressAllow=`.
    var allowed: [AddressRange] = []
    /// `IPAddressDeny=`.
    var denied: [AddressRange] = []
    /// `PrivateNetwork=`.
    var hasPrivateNetwork = false
    /// `PrivateDevices=`.
    var hasPrivateDevices = false
    /// `DevicePolicy=`.
    var devicePolicy = "auto"
    /// Paths and groups of `DeviceAllow=`.
    var allowedDevices: [String] = []
    /// Whether the journal's service is active; nil if that is not known.
    var isJournalActive: Bool?

    /// It has been started, and has not said that it is ready: it reads its fences. After a failure
    /// that is one try of several.
    var isStarting: Bool {
        activeState == "activating" && !subState.hasPrefix("auto-restart") && restarts == 0
    }

    /// Whether the daemon may speak to that address, systemd.resource-control(5): what is allowed
    /// is allowed, what else is denied is denied, the rest is allowed.
    func allows(_ address: [UInt8]) -> Bool {
        if hasPrivateNetwork { return false }
        if allowed.contains(where: { $0.contains(address) }) { return true }
        return !denied.contains { $0.contains(address) }
    }

    /// Whether `char-ttyUSB`, `char-*` or the like means that device: groups of /proc/devices, after
    /// which the kernel's drivers name their devices.
    private static func isOfClass(_ group: String, _ path: String) -> Bool {
        guard group.hasPrefix("char-") else { return false }
        let name = group.dropFirst(5).prefix { $0 != "*" }
        return path.dropFirst("/dev/".count).hasPrefix(name)
    }

    /// Whether the daemon may open that device.
    func allowsDevice(_ path: String) -> Bool {
        if hasPrivateDevices { return false }
        guard devicePolicy != "auto" || !allowedDevices.isEmpty else { return true }
        // ProtectClock= alone allows char-rtc, and forbids the rest.
        return allowedDevices.contains { $0 == path || Self.isOfClass($0, path) }
    }
}

/// Addresses with a common prefix.
struct AddressRange: Sendable {
    /// 4 or 16 bytes.
    var address: [UInt8]
    /// How many of its bits count.
    var bits: Int

    func contains(_ other: [UInt8]) -> Bool {
        guard other.count == address.count, (0...address.count * 8).contains(bits) else {
            return false
        }
        return (0..<bits).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return address[bit / 8] & mask == other[bit / 8] & mask
        }
    }
}
