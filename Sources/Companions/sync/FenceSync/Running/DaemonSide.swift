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
    private let name: String
    private var consumer: ConsumerEndpoint?
    /// Number of the last event that was delivered; nil: none was.
    private var delivered: UInt64?

    /// The bus and the name are a matter of seconds; an import may take longer.
    private static let patience = TimeSpan.seconds(25)

    /// Connects and takes the name.
    /// - Parameter metafence: id of the fence of which it consumes the exits; nil for none.
    /// - Throws: ``SyncFailure`` with the state not-stored.
    package init(
        bus: BusAddress, name: String, metafence: String? = nil, loop: EventLoop, stop: Stop
    ) throws(SyncFailure) {
        self.name = name
        self.loop = loop
        self.stop = stop
        do throws(ClientError) {
            var client = try DaemonClient(to: bus, loop: loop)
            client.asksUser = false
            self.client = client
        } catch { throw SyncFailure(.notStored, error.description) }
        if let metafence { try consume(metafence) } else { try own() }
    }

    private func own() throws(SyncFailure) {
        var owned: Bool?
        var reason = "another program has the name \(name)"
        do throws(SystemError) {
            try client.connection.requestName(name) { [name] result in
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

    private func consume(_ metafence: String) throws(SyncFailure) {
        var isRegistered = false
        var reason: String?
        do throws(SystemError) {
            consumer = try ConsumerEndpoint(
                client, name: name, kinds: ConsumerEndpoint.departures, ids: [metafence],
                loop: loop,
                .init(
                    deliver: { [weak self] events, _ in
                        self?.delivered = events.last?.asStructure?.first?.asUInt64
                    }, registered: { isRegistered = true }, log: { reason = $0 },
                    failed: { reason = $0 }))
        } catch { throw SyncFailure(.notStored, error.description) }
        try wait(until: EventLoop.uptime + Self.patience) { isRegistered || reason != nil }
        if let reason { throw SyncFailure(.notStored, reason) }
    }

    /// Where the vehicle is; nil before the first fix, without read-location, and while the position is
    /// doubtful: around a wrong place there are none of its fences.
    package func place() throws(SyncFailure) -> NearbyFetch.Place? {
        do throws(ClientError) {
            guard try client.properties()["PositionState"]?.asString != "doubtful" else {
                return nil
            }
            return try client.position().map {
                NearbyFetch.Place(coordinate: $0.coordinate, error: $0.error)
            }
        } catch { throw SyncFailure(.notStored, error.description) }
    }

    /// What was delivered is dealt with, and does not come again.
    package func acknowledge() throws(SyncFailure) {
        guard let seq = delivered else { return }
        do throws(ClientError) {
            _ = try client.call(.ackEvents, [.string(name), .uint64(seq)])
        } catch { throw SyncFailure(.notStored, error.description) }
        delivered = nil
    }

    /// The digest of the set that it has of `origin`; nil while it does not run, and where it does
    /// not know the question.
    package func digest(of origin: String) throws(SyncFailure) -> String? {
        do throws(ClientError) {
            let answer = try client.call(.getOrigin, [.string(origin)])
            return answer.first?.asDictionary?["digest"]?.asString
        } catch {
            if error.isUnknownMethod || error.isAbsence { return nil }
            throw SyncFailure(.notStored, error.description)
        }
    }

    /// Appends to `file` what it has of the fences of `origin` with these ids, a line of GeoJSON each.
    /// - Returns: how many it has.
    package func keep(
        _ refusals: FenceSet.Refusals, of origin: String, in file: SpoolFile
    ) throws(SyncFailure) -> Int {
        var count = 0
        do {
            try client.forEachFeature(of: origin, where: refusals.has) { line in
                try file.write((line + "\n").utf8)
                count += 1
            }
        } catch let failure as SyncFailure {
            throw failure
        } catch { throw SyncFailure(.notStored, "flawed entries cannot be kept: \(error)") }
        return count
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
