import Geofence1
import Systemd
import Time

/// Asks the service manager for units.
@MainActor
struct UnitProbe {
    let connection: BusConnection

    private static let systemd = "org.freedesktop.systemd1"

    /// The daemon's; nil if it does not answer.
    func look() -> UnitEvidence? {
        guard let properties = properties(of: "geofenced.service") else { return nil }
        var unit = UnitEvidence()
        unit.loadState = properties["LoadState"]?.asString ?? ""
        unit.activeState = properties["ActiveState"]?.asString ?? ""
        unit.subState = properties["SubState"]?.asString ?? ""
        unit.result = properties["Result"]?.asString ?? ""
        unit.restarts = properties["NRestarts"]?.asUInt64 ?? 0
        unit.needsReload = properties["NeedDaemonReload"]?.asBool ?? false
        unit.mainPID = properties["MainPID"]?.asUInt64 ?? 0
        unit.user = properties["User"]?.asString ?? ""
        unit.groups = properties["SupplementaryGroups"]?.asStrings ?? []
        unit.allowed = Self.ranges(properties["IPAddressAllow"])
        unit.denied = Self.ranges(properties["IPAddressDeny"])
        unit.hasPrivateNetwork = properties["PrivateNetwork"]?.asBool ?? false
        unit.hasPrivateDevices = properties["PrivateDevices"]?.asBool ?? false
        unit.devicePolicy = properties["DevicePolicy"]?.asString ?? "auto"
        unit.allowedDevices = (properties["DeviceAllow"]?.asArray ?? []).compactMap {
            $0.asStructure?.first?.asString
        }
        let journal = self.properties(of: "systemd-journald.service")
        // Where it is not installed, something else keeps the log.
        if journal?["LoadState"]?.asString == "loaded" {
            unit.isJournalActive = journal?["ActiveState"]?.asString == "active"
        }
        return unit
    }

    /// Of any unit; nil if nobody answers.
    func state(of name: String) -> UnitState? {
        guard let properties = properties(of: name) else { return nil }
        func text(_ key: String) -> String { properties[key]?.asString ?? "" }
        let result = text("Result")
        return UnitState(
            name: name, loadState: text("LoadState"), activeState: text("ActiveState"),
            subState: text("SubState"), result: result.isEmpty ? "success" : result,
            fileState: text("UnitFileState"))
    }

    private static let interfaces = ["timer": "Timer", "socket": "Socket"]

    private func properties(of unit: String) -> [String: BusValue]? {
        let manager = BusPeer(
            destination: Self.systemd, path: "/org/freedesktop/systemd1",
            interface: "\(Self.systemd).Manager")
        guard let path = connection.first(manager, "LoadUnit", .string(unit))?.asString else {
            return nil
        }
        let peer = BusPeer(
            destination: Self.systemd, path: path, interface: "org.freedesktop.DBus.Properties")
        var all: [String: BusValue] = [:]
        let kind = unit.split(separator: ".").last.map(String.init) ?? ""
        for interface in ["Unit", Self.interfaces[kind] ?? "Service"] {
            let name = BusValue.string("\(Self.systemd).\(interface)")
            let some = connection.first(peer, "GetAll", name)?.asDictionary ?? [:]
            all.merge(some) { one, _ in one }
        }
        return all
    }

    /// From `a(iayu)`: family, address, bits.
    private static func ranges(_ value: BusValue?) -> [AddressRange] {
        (value?.asArray ?? []).compactMap { range in
            guard let members = range.asStructure, members.count == 3,
                let address = members[1].asBytes, let bits = members[2].asUInt32
            else { return nil }
            return AddressRange(address: address, bits: Int(clamping: bits))
        }
    }
}

extension BusConnection {
    /// The first value of an answer; nil without one within some seconds.
    func first(_ peer: BusPeer, _ member: String, _ arguments: BusValue...) -> BusValue? {
        let answer = try? callAndWait(peer, member, arguments, timeout: .seconds(5))
        return (try? answer?.values())?.first
    }
}
