import Model
import Systemd

// The signals of BlueZ's objects. Any program may send them to us directly, and sd-bus cannot know
// the names of its sender: only the owner of BlueZ's name is believed.
extension BlueZSession {
    /// The match rules; kept as long as the session.
    func subscriptions(on bus: BusConnection) throws(SystemError) -> [BusSlot] {
        var slots: [BusSlot] = []
        var match = BusMatch(
            sender: BlueZ.name, path: "/", interface: BlueZ.objectManager,
            member: "InterfacesAdded")
        slots.append(
            try bus.subscribe(match) { [weak self] message in
                guard let self, isOfOwner(message),
                    let values = try? message.values(limits: .call), values.count == 2,
                    let path = values[0].asString, let interfaces = values[1].asDictionary
                else { return }
                added(path, interfaces, isSighting: true)
                guard interfaces[BlueZ.adapter] != nil || interfaces[BlueZ.monitors] != nil else {
                    return
                }
                powerChanged()
            })
        match.member = "InterfacesRemoved"
        slots.append(
            try bus.subscribe(match) { [weak self] message in
                guard let self, isOfOwner(message),
                    let values = try? message.values(limits: .call), values.count == 2,
                    let path = values[0].asString, let names = values[1].asStrings
                else { return }
                removed(path, names)
            })
        for interface in [BlueZ.device, BlueZ.adapter] {
            var match = BusMatch(
                sender: BlueZ.name, interface: BlueZ.properties, member: "PropertiesChanged")
            match.firstArgument = interface
            slots.append(
                try bus.subscribe(match) { [weak self] message in
                    guard let self, isOfOwner(message), let path = message.path,
                        let values = try? message.values(limits: .call), values.count == 3,
                        let changed = values[1].asDictionary
                    else { return }
                    self.changed(path, interface, changed)
                })
        }
        return slots
    }

    private func isOfOwner(_ message: BusMessage) -> Bool {
        owner != nil && message.sender == owner
    }

    /// Whether the object at a path is wanted of those that BlueZ lists: an adapter; a device while
    /// there is room for its data.
    func isWanted(_ path: String) -> Bool {
        !path.dropFirst(BlueZ.root.count).contains("/") || devices.count < HeardDevices.most
    }

    /// One of the objects that BlueZ lists. Its devices were heard earlier, and are not sightings.
    func managed(_ path: String, _ interfaces: [String: BusValue]) {
        added(path, interfaces, isSighting: false)
    }

    private func added(_ path: String, _ interfaces: [String: BusValue], isSighting: Bool) {
        if let properties = interfaces[BlueZ.device]?.asDictionary {
            if isSighting {
                heard(path, properties, isWhole: true)
            } else if !devices.contains(path) {
                _ = devices.change(path, DeviceSignal(properties), isWhole: true)
            }
        }
        if let properties = interfaces[BlueZ.adapter]?.asDictionary {
            adapters.change(path) { $0.change(properties) }
        }
        if interfaces[BlueZ.monitors] != nil { adapters.change(path) { $0.hasMonitors = true } }
    }

    private func removed(_ path: String, _ interfaces: [String]) {
        if interfaces.contains(BlueZ.device) { devices.remove(path) }
        guard interfaces.contains(BlueZ.adapter) else { return }
        adapters.remove(path)
        adapterLost(path)
    }

    private func changed(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
        if interface == BlueZ.device { return heard(path, properties, isWhole: false) }
        adapters.change(path) { $0.change(properties) }
        // A discovery ends when the power goes off; monitors resume by themselves.
        if adapters.all[path]?.isPowered == false { discoveryLost(path) }
        if properties["Powered"] != nil || properties["PowerState"] != nil { powerChanged() }
    }
}

extension Adapters.Adapter {
    fileprivate mutating func change(_ properties: [String: BusValue]) {
        if let powered = properties["Powered"]?.asBool {
            isPowered = powered
            if powered { isBlocked = false }
        }
        if let state = properties["PowerState"]?.asString { isBlocked = state == "off-blocked" }
    }
}
