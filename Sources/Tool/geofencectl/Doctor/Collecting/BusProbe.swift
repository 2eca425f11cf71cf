import BusClient
import Geofence1
import Glibc
import Systemd
import Time

/// Looks who is on the bus, without starting anybody.
@MainActor
struct BusProbe {
    let connection: BusConnection
    let address: BusAddress

    /// The daemon's user, and what was seen; `daemon` is nil if nobody has its name.
    func look() -> (evidence: BusEvidence, daemon: ProcessUser?) {
        var evidence = BusEvidence()
        evidence.name = address.description
        evidence.isSystem = address == .system
        do throws(BusError) {
            let owned = try connection.callAndWait(
                .bus, "NameHasOwner", [.string(Geofence1.name)], timeout: .seconds(5))
            evidence.isOwned = (try? owned.values())?.first?.asBool ?? false
        } catch {
            evidence.failure = error.message.isEmpty ? error.name : error.message
            return (evidence, nil)
        }
        let polkit = "org.freedesktop.PolicyKit1"
        let known = ["ListNames", "ListActivatableNames"].flatMap {
            connection.first(.bus, $0)?.asStrings ?? []
        }
        evidence.hasPolkit = known.contains(polkit)
        if evidence.isSystem {
            let file = "\(Geofence1.name).conf"
            evidence.hasPolicy = ["/usr/share", "/usr/local/share", "/etc"].contains {
                LocalFiles.exists("\($0)/dbus-1/system.d/\(file)")
            }
            evidence.hasActions = LocalFiles.exists(
                "/usr/share/polkit-1/actions/\(Geofence1.name).policy")
        }
        guard evidence.isOwned,
            let credentials = connection.first(
                .bus, "GetConnectionCredentials", .string(Geofence1.name))?.asDictionary
        else { return (evidence, nil) }
        evidence.pid = credentials["ProcessID"]?.asUInt64 ?? 0
        let groups = credentials["UnixGroupIDs"]?.asArray ?? []
        let user = credentials["UnixUserID"]?.asUInt32.map {
            ProcessUser(uid: $0, groups: Set(groups.compactMap(\.asUInt32)))
        }
        return (evidence, user)
    }
}
