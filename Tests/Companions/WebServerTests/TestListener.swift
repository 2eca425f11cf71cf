import Glibc
import SystemTestKit

/// An abstract UNIX socket that listens, and belongs to the server.
struct TestListener {
    let descriptor: Int32
    private let address: String

    init(_ name: String) throws {
        address = "\0geofenced-\(getpid())-\(name)"
        descriptor = try UnixAddress(address).listening()
    }

    func connect() throws -> RawClient { try RawClient(address) }
}
