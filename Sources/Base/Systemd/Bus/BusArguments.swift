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

    /// Enters the next argument, an array of `element`: see ``nextElement()``.
    package mutating func enterArray(of element: String) throws(SystemError) {
        try reader.enterArray(of: element)
    }

    /// The next element of the array that was entered; nil after the last, and then the array is
    /// left. The limit of values applies to each element, that of bytes to everything that is read.
    package mutating func nextElement() throws(SystemError) -> BusValue? {
        try reader.nextElement()
    }

    /// The next entry of the array that was entered, whose key is a text; nil after the last, and
    /// then the array is left. The value is nil if it is not wanted or exceeds the limits, which
    /// apply to each entry.
    package mutating func nextEntry(
        of contents: String, where isWanted: (String) -> Bool
    ) throws(SystemError) -> (key: String, value: BusValue?)? {
        try reader.nextEntry(of: contents, where: isWanted)
    }

    /// The next argument; nil after the last.
    package mutating func next() throws(SystemError) -> BusValue? { try reader.read(depth: 0) }
}
