import Geofence1
import Systemd

/// The well-known name of the daemon, and whether it is ours.
@MainActor
final class OwnName {
    private let connection: BusConnection
    private var signals: [BusSlot] = []
    /// Whether this connection has it.
    private(set) var isOurs = false
    /// Called with each change of that, and with the reason where it is not to be had.
    var notify: (BusNotice) -> Void = { _ in }

    init(_ connection: BusConnection) { self.connection = connection }

    /// - Parameter replacing: takes it from its owner.
    func request(replacing: Bool) throws(SystemError) {
        for (member, isOurs) in [("NameAcquired", true), ("NameLost", false)] {
            var match = BusMatch(
                sender: BusPeer.bus.destination, path: BusPeer.bus.path,
                interface: BusPeer.bus.interface, member: member)
            match.firstArgument = Geofence1.name
            signals.append(
                try connection.subscribe(match) { [weak self] _ in self?.changed(isOurs) })
        }
        // Queued when another connection owns it: we get the name when that one leaves. Who may own
        // it is decided by the bus policy.
        let flags: BusNameFlags =
            replacing ? [.allowReplacement, .replaceExisting] : .allowReplacement
        try connection.requestName(Geofence1.name, flags) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.owned), .success(.alreadyOwned): changed(true)
            case .success: notify(.log("another program has the name \(Geofence1.name)"))
            case .failure(let error):
                notify(.nameRefused("cannot have the name \(Geofence1.name): \(error)"))
            }
        }
    }

    private func changed(_ isOurs: Bool) {
        guard isOurs != self.isOurs else { return }
        self.isOurs = isOurs
        notify(.nameChanged(isOurs: isOurs))
    }
}
