import BusClient
import Program
import Systemd

extension DaemonClient {
    /// Connects to the bus that the command line names.
    /// - Throws: ``Failure`` for an invalid bus name, ``ClientError`` if the bus cannot be reached.
    init(
        _ invocation: Invocation, loop: EventLoop? = nil,
        disconnected: (@MainActor () -> Void)? = nil
    ) throws {
        try self.init(to: try invocation.bus(), loop: loop, disconnected: disconnected)
    }
}

extension Invocation {
    /// The bus of `--bus`, or the system bus.
    func bus() throws(Failure) -> BusAddress {
        let name = value("bus") ?? "system"
        guard let address = BusAddress(named: name) else {
            throw .usage(BusAddress.flaw, "--bus \(name)")
        }
        return address
    }
}

extension Failure {
    /// The tool's message for an error of the daemon.
    init(_ error: ClientError) { self.init(error.reason, error.place) }
}
