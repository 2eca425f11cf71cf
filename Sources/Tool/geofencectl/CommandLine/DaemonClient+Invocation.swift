import BusClient
import Systemd

extension DaemonClient {
    /// Connects to the bus that the command line names.
    /// - Throws: ``Failure`` for an invalid bus name, ``ClientError`` if the bus cannot be reached.
    init(
        _ invocation: Invocation, loop: EventLoop? = nil,
        disconnected: (@MainActor () -> Void)? = nil
    ) throws {
        let (address, name) = try Self.address(invocation.value("bus") ?? "system")
        try self.init(to: address, busName: name, loop: loop, disconnected: disconnected)
    }

    private static func address(_ text: String) throws -> (BusAddress, String) {
        switch text {
        case "system": return (.system, "the system bus")
        case "session": return (.session, "the session bus")
        default:
            guard text.contains(":") else {
                throw Failure.usage("neither system nor session nor a bus address", "--bus \(text)")
            }
            return (.address(text), text)
        }
    }
}

extension Failure {
    /// The tool's message for an error of the daemon.
    init(_ error: ClientError) { self.init(error.reason, error.place) }
}
