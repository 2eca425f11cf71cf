import CSystemd

// Unsafe: the message is held by a reference for as long as it is read.

/// The arguments of a call, read one at a time: a large array is read by its elements.
@MainActor
package struct BusArguments {
    private var reader: BusReader
    // Keeps the message alive while it is read.
    private let message: BusMessage

    /// Starts at the first argument.
    package init(_ message: BusMessage, limits: BusLimits) throws(SystemError) {
        unsafe try check(sd_bus_message_rewind(message.message, 1), "reading a message")
        self.message = message
        reader = unsafe BusReader(message: message.message, limits: limits)
    }

    /// The next argument, an array of `element`: calls `body` with each element. The limit of
    /// values applies to each element, that of bytes to everything that is read.
    package mutating func forEach(
        of element: String, _ body: (BusValue) throws -> Void
    ) throws {
        try reader.readElements(of: element, body)
    }

    /// The next argument; nil after the last.
    package mutating func next() throws(SystemError) -> BusValue? { try reader.read(depth: 0) }
}
