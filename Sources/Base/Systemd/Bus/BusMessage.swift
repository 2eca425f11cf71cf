import CSystemd
import Glibc

// Unsafe: owns one reference to the message; its texts are copied while that is held.

/// A message received from the bus.
@MainActor
@safe package final class BusMessage {
    nonisolated(unsafe) let message: OpaquePointer

    /// Shares a message that sd-bus lends to a callback.
    init(sharing message: OpaquePointer) {
        unsafe self.message = unsafe sd_bus_message_ref(message)
    }

    /// Takes ownership of a message.
    init(adopting message: OpaquePointer) { unsafe self.message = unsafe message }

    deinit { unsafe sd_bus_message_unref(message) }

    /// The unique name of the sender, filled in by the bus and not forgeable.
    package var sender: String? {
        unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
    }
    /// Object path; nil for answers.
    package var path: String? {
        unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) }
    }
    /// Interface name; nil for answers, and for calls without one.
    package var interface: String? {
        unsafe sd_bus_message_get_interface(message).map { unsafe String(cString: $0) }
    }
    /// Name of the method or signal; nil for answers.
    package var member: String? {
        unsafe sd_bus_message_get_member(message).map { unsafe String(cString: $0) }
    }
    /// The signature of all its arguments.
    package var signature: String {
        unsafe sd_bus_message_get_signature(message, 1).map { unsafe String(cString: $0) } ?? ""
    }

    /// All arguments. EBADMSG for an invalid D-Bus message, E2BIG beyond the limits.
    package func values(limits: BusLimits = .standard) throws(SystemError) -> [BusValue] {
        try unsafe check(sd_bus_message_rewind(message, 1), "reading a message")
        var reader = unsafe BusReader(message: message, limits: limits)
        return try reader.readAll(depth: 0)
    }

    /// Bytes of the values, as ``BusLimits/bytes`` counts them, measured without keeping any of
    /// them; nil when they are more than `limit`.
    package func size(upTo limit: Int) -> Int? {
        guard unsafe sd_bus_message_rewind(message, 1) >= 0 else { return nil }
        var measure = unsafe BusMeasure(message: message, limit: limit)
        return measure.isWithinLimit(depth: 0) ? measure.bytes : nil
    }

    /// Whether its sender expects an answer.
    package var expectsReply: Bool { unsafe sd_bus_message_get_expect_reply(message) > 0 }

    /// A copy, which the caller closes, of a descriptor among the values of this message; the
    /// message closes its own.
    package func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("duplicating a received descriptor") }
        return copy
    }
}

/// How much of a message is read before it is refused.
package struct BusLimits: Sendable {
    /// All values together, at every depth. The bytes of `ay` are one value.
    package var values: Int
    /// Nested containers; the D-Bus specification allows 64.
    package var depth: Int
    /// All texts, arrays of bytes and numbers together, without padding.
    package var bytes: Int

    package init(values: Int, depth: Int = 64, bytes: Int) {
        self.values = values
        self.depth = depth
        self.bytes = bytes
    }

    /// For answers from trusted services: a million values, some 100 MB.
    package static let standard = BusLimits(values: 1_000_000, bytes: 128 << 20)
    /// For calls: 64 KiB and 10 000 values, so that every call is quick to read.
    package static let call = BusLimits(values: 10_000, bytes: 64 << 10)
}
