package import BusClient
import Geofence1
package import Systemd
import Time

/// The daemon, as far as a source needs it: owns the source's name on the bus, and waits for
/// answers on the loop.
@MainActor
package final class DaemonSide {
    private let loop: EventLoop
    private let client: DaemonClient
    private let stop: Stop

    /// The bus and the name are a matter of seconds; an import may take longer.
    private static let patience = TimeSpan.seconds(25)

    /// Connects and takes the name.
    /// - Throws: ``SyncFailure`` with the state not-stored.
    package init(
        bus: String, name: String, loop: EventLoop, stop: Stop
    ) throws(SyncFailure) {
        self.loop = loop
        self.stop = stop
        let address: BusAddress
        switch bus {
        case "system": address = .system
        case "session": address = .session
        default: address = .address(bus)
        }
        do throws(ClientError) {
            client = try DaemonClient(to: address, busName: bus, loop: loop)
        } catch { throw SyncFailure(.notStored, error.description) }
        var owned: Bool?
        var reason = "another program has the name \(name)"
        do throws(SystemError) {
            try client.connection.requestName(name) { result in
                switch result {
                case .success(.owned), .success(.alreadyOwned): owned = true
                case .success: owned = false
                case .failure(let error):
                    reason = "cannot have the name \(name): \(error)"
                    owned = false
                }
            }
        } catch { throw SyncFailure(.notStored, error.description) }
        try wait(until: EventLoop.uptime + Self.patience) { owned != nil }
        guard owned == true else { throw SyncFailure(.notStored, reason) }
    }

    /// Gives a file to the daemon and waits until all of it is stored, or nothing.
    package func perform(
        _ change: OriginImport, _ file: SpoolFile
    ) throws(SyncFailure) -> ImportedChange {
        try file.rewind()
        var result: Result<ImportedChange, ClientError>?
        do throws(ClientError) {
            try client.begin(change, descriptor: file.descriptor) { result = $0 }
        } catch { throw Self.failure(error) }
        try wait(until: nil) { result != nil }
        switch result {
        case .success(let change)?: return change
        case .failure(let error)?: throw Self.failure(error)
        case nil: throw SyncFailure(.notStored, "geofenced did not answer")
        }
    }

    private func wait(until deadline: Uptime?, _ isDone: () -> Bool) throws(SyncFailure) {
        while !isDone() {
            guard !stop.isRequested else { throw SyncFailure(.notStored, "stopped by a signal") }
            let left = deadline.map { $0 - EventLoop.uptime } ?? .seconds(60)
            guard left > .zero else { throw SyncFailure(.notStored, "the bus does not answer") }
            do throws(SystemError) { _ = try loop.runOnce(timeout: left) } catch {
                throw SyncFailure(.notStored, error.description)
            }
        }
    }

    private static func failure(_ error: ClientError) -> SyncFailure {
        if error.is(.tooManyRemoved) { return SyncFailure(.held, error.reason) }
        if error.is(.quotaExceeded) || error.is(.tooManyFences) {
            return SyncFailure(.overLimit, error.reason)
        }
        return SyncFailure(.notStored, error.description)
    }
}
