import CSystemd
import Glibc

/// A message as it came over the bus.
@MainActor
package final class BusMessage {
    nonisolated(unsafe) let message: OpaquePointer

    /// Shares a message that sd-bus lends to a callback.
    init(sharing message: OpaquePointer) {
        self.message = sd_bus_message_ref(message)
    }

    /// Takes over a message.
    init(adopting message: OpaquePointer) { self.message = message }

    deinit { sd_bus_message_unref(message) }

    /// The unique name of the sender, filled in by the bus and not to be forged.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }
    package var path: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }
    package var interface: String? {
        sd_bus_message_get_interface(message).map { String(cString: $0) }
    }
    package var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }
    /// Of all its arguments.
    package var signature: String {
        sd_bus_message_get_signature(message, 1).map { String(cString: $0) } ?? ""
    }

    /// All arguments. EBADMSG when a peer sent what is no D-Bus message, E2BIG beyond the limits.
    package func values(limits: BusLimits = .standard) throws(SystemError) -> [BusValue] {
        try check(sd_bus_message_rewind(message, 1), "reading a message")
        var reader = BusReader(message: message, limits: limits)
        return try reader.readAll(depth: 0)
    }

    /// A copy, for the caller to close, of a descriptor among the values of this message, which
    /// closes its own when it goes.
    package func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("duplicating a received descriptor") }
        return copy
    }
}

/// How much of a message is read before it is refused.
package struct BusLimits: Sendable {
    /// Of all values together, at every depth. The bytes of `ay` are one value.
    package var values: Int
    /// Containers inside one another; the D-Bus specification stops at 64.
    package var depth: Int

    package init(values: Int, depth: Int) {
        self.values = values
        self.depth = depth
    }

    /// A million values, some 100 MB; 64 deep.
    package static let standard = BusLimits(values: 1_000_000, depth: 64)
}
