import CSystemd
import Glibc

// Unsafe: the message is held by a reference; sd-bus lends zero-terminated texts.

/// Walks through a message to measure its content, keeping nothing.
@safe struct BusMeasure {
    private let message: OpaquePointer
    private let limit: Int
    private(set) var bytes = 0

    init(message: OpaquePointer, limit: Int) {
        unsafe self.message = unsafe message
        self.limit = limit
    }

    /// Goes to the end of the container that was entered; false beyond the limit, and if it is not
    /// a valid D-Bus message.
    mutating func isWithinLimit(depth: Int) -> Bool {
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let found = unsafe sd_bus_message_peek_type(message, &type, &contents)
            guard found > 0 else { return found == 0 }
            // Each value costs work, even an empty one.
            bytes += 1
            guard bytes <= limit, depth <= 64 else { return false }
            guard let contents = unsafe contents else {
                guard isBasicWithinLimit(type) else { return false }
                continue
            }
            guard unsafe sd_bus_message_enter_container(message, type, contents) >= 0,
                isWithinLimit(depth: depth + 1),
                unsafe sd_bus_message_exit_container(message) >= 0
            else { return false }
        }
    }

    private mutating func isBasicWithinLimit(_ type: CChar) -> Bool {
        if type == .string || type == .objectPath || type == .signature {
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, type, &text) >= 0 else { return false }
            unsafe bytes += text.map { unsafe strlen($0) } ?? 0
        } else {
            // Numbers are at most 8 bytes; sd-bus returns its own copy of a descriptor.
            var number: UInt64 = 0
            guard unsafe sd_bus_message_read_basic(message, type, &number) >= 0 else {
                return false
            }
            bytes += 7
        }
        return bytes <= limit
    }
}
