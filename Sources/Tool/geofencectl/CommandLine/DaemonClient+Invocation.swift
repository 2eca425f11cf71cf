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
        let name = invocation.value("bus") ?? "system"
        guard let address = BusAddress(named: name) else {
            throw Failure.usage(BusAddress.flaw, "--bus \(name)")
        }
        try self.init(to: address, loop: loop, disconnected: disconnected)
    }
}

extension Failure {
    /// The tool's message for an error of the daemon.
    init(_ error: ClientError) { self.init(error.reason, error.place) }
}
