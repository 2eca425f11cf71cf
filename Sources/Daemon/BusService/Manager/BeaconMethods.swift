import Geofence1
import JSON
import Law
import Model
import Monitoring
import Systemd
import Time

// The methods and properties about beacons.
extension ManagerService {
    func beaconMethods() -> [BusMethod] {
        [
            answer(.listBeacons) { service, _, _ in [service.listBeacons()] },
            answer(.setPresence) { try $0.setPresence($2, caller: $1.sender) },
            method(.createRangingSession) { service, call, arguments in
                // Registered, so that the daemon notices when it leaves the bus.
                guard let client = service.clients.known(call.sender) else { return }
                call.answer {
                    let options = try RangingOptions(options: arguments[0])
                    return [
                        .objectPath(
                            try service.rangings.create(for: client, options).path)
                    ]
                }
            },
        ]
    }

    private func listBeacons() -> BusValue {
        .array(
            of: "(sa{sv})",
            told(monitoring.beaconStates(at: now)).map {
                .structure([.string($0.id), ToldBeacon.told.options(of: $0)])
            })
    }

    /// The companions that may be with the vehicle.
    var companions: [ToldBeacon] { told(monitoring.companions(at: now)) }

    /// The system bus ends the connection of a program that sends more than 32 MiB (its
    /// max_message_size), and JSON may be eight times as long on D-Bus as its text.
    private static let mostMetadata = 3 << 20

    private func told(_ beacons: [BeaconPresence]) -> [ToldBeacon] {
        var texts = 0
        return beacons.map { found in
            var told = ToldBeacon(
                id: found.region.id,
                presence: ToldPresence(found.presence, isUncertain: found.isUncertain))
            told.title = found.region.title
            told.pattern = found.region.rule.pattern
            told.isManual = found.isManual
            told.isAmbiguous = found.isAmbiguous
            told.isCompanion = found.region.rule.isCompanion
            told.group = found.region.rule.group
            told.since = found.began
            told.lastHeard = found.lastHeard
            told.level = found.level
            texts += found.region.metadata.utf8.count
            told.metadata = texts <= Self.mostMetadata ? found.region.metadata : nil
            return told
        }
    }

    private func setPresence(_ arguments: [BusValue], caller: String) throws -> [BusValue] {
        let id = arguments[0].asString ?? ""
        guard let presence = arguments[1].asUInt32.flatMap(Presence.init) else {
            throw BusError.invalid("presence is not 0, 1 or 2")
        }
        var options = arguments[2].asDictionary ?? [:]
        var until: UTCTime?
        if let value = options.removeValue(forKey: "until") {
            guard presence != .unknown, let number = value.asUInt64,
                number <= UInt64(Int64.max / 1_000)
            else { throw BusError.invalid("until is no time in microseconds, or of presence 0") }
            until = UTCTime(nanoseconds: Int64(number) * 1_000)
        }
        if let unknown = options.keys.min() {
            throw BusError.invalid("option \"\(unknown.echoed())\" is not known")
        }
        do {
            try monitoring.statePresence(presence, until: until, of: id, at: now)
        } catch let error as NoBeaconFence {
            throw BusError(.noSuchFence, error.description)
        } catch let error as PresenceOver {
            throw BusError.invalid(error.description)
        }
        let uid = clients.known(caller)?.credentials?.uid
        log(
            "presence \(presence.name) at \"\(id.echoed())\" was set by "
                + (uid.map { "uid \($0)" } ?? caller))
        return []
    }
}
