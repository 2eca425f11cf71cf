// Unsafe: names and values are lent by texts and arrays for the call, and copied.

/// One journal entry: fields in order, a name may come more than once.
package struct JournalEntry: Equatable, Sendable {
    /// As the native protocol has it: `NAME=value` and a new line; where the value itself has a new
    /// line, the name alone on a line, the length as 64 bits little-endian, the value, a new line.
    /// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/, "Data Format"
    ///
    /// The entry is nothing else: a field is written once, and there it lies.
    package private(set) var serialized: [UInt8] = []

    package init() {}

    /// With the fields every entry should have; of the message what ``LogText`` leaves of it.
    /// `messageID`: 32 hexadecimal digits.
    package init(_ message: String, _ priority: LogPriority, messageID: String? = nil) {
        serialized.reserveCapacity(768)
        append("MESSAGE", LogText.line(message))
        append("PRIORITY", String(priority.rawValue))
        if let messageID { append("MESSAGE_ID", messageID) }
    }

    /// Adds a field. The name is the programmer's: see ``isValid(name:)``; the value may hold
    /// anything, new lines and NULs too.
    package mutating func append(_ name: String, _ value: String) {
        var value = value
        value.withUTF8 { unsafe append(name, $0) }
    }

    /// Adds a field with a binary value.
    package mutating func append(_ name: String, _ value: [UInt8]) {
        unsafe value.withUnsafeBufferPointer { unsafe append(name, $0) }
    }

    private mutating func append(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
        var name = name
        name.withUTF8 {
            unsafe precondition(Self.isValid($0), "this is no name for a journal field")
            unsafe serialized.append(contentsOf: $0)
        }
        if unsafe value.contains(0x0A) {
            serialized.append(0x0A)
            unsafe withUnsafeBytes(of: UInt64(value.count).littleEndian) { unsafe serialized += $0 }
        } else {
            serialized.append(0x3D)
        }
        unsafe serialized.append(contentsOf: value)
        serialized.append(0x0A)
    }

    /// Whether journald takes such a field from us: capitals, digits and underscores, at most 64,
    /// and a capital first; a leading underscore is for what journald itself knows
    /// (journal_field_valid of systemd, and systemd.journal-fields(7)).
    package static func isValid(name: String) -> Bool {
        var name = name
        return name.withUTF8(unsafe isValid)
    }

    private static func isValid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = unsafe name.first, (0x41...0x5A).contains(first), name.count <= 64 else {
            return false
        }
        for index in name.indices {
            let byte = unsafe name[index]
            guard (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
            else { return false }
        }
        return true
    }
}

/// As syslog(3).
package enum LogPriority: Int, Comparable, Sendable {
    case emergency = 0
    case alert = 1
    case critical = 2
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// Less is more urgent.
    package static func < (a: LogPriority, b: LogPriority) -> Bool { a.rawValue < b.rawValue }
}
