import Glibc
import SystemTestKit

/// A listening abstract UNIX socket, which the server takes over.
struct TestListener {
    let descriptor: Int32
    private let address: String

    init(_ name: String) throws {
        address = "\0geofenced-\(getpid())-\(name)"
        descriptor = try UnixAddress(address).listening()
    }

    func connect() throws -> RawClient { try RawClient(address) }
}
