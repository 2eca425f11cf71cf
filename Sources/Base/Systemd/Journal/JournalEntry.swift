// Unsafe: names and values are lent by texts and arrays for the call, and copied.

/// One journal entry: fields in order; a name may occur more than once.
package struct JournalEntry: Equatable, Sendable {
    /// In the native protocol: `NAME=value` and a newline; if the value itself contains a newline,
    /// the name alone on a line, the length as 64 bits little-endian, the value, a newline.
    /// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/, "Data Format"
    ///
    /// The entry is stored only in this form: a field is written once.
    package private(set) var serialized: [UInt8] = []

    package init() {}

    /// With the fields that every entry should have; the message is cleaned by ``LogText``.
    /// `messageID`: 32 hexadecimal digits.
    package init(_ message: String, _ priority: LogPriority, messageID: String? = nil) {
        serialized.reserveCapacity(768)
        append("MESSAGE", LogText.line(message))
        append("PRIORITY", String(priority.rawValue))
        if let messageID { append("MESSAGE_ID", messageID) }
    }

    /// Adds a field. The name must be valid, see ``isValid(name:)``; the value may contain
    /// anything, including newlines and NULs.
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

    /// Whether journald accepts such a field from us: capitals, digits and underscores, at most 64,
    /// beginning with a capital; a leading underscore is reserved for fields that journald itself
    /// adds (journal_field_valid of systemd, and systemd.journal-fields(7)).
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

/// The priorities of syslog(3).
package enum LogPriority: Int, Comparable, Sendable {
    case emergency = 0
    case alert = 1
    case critical = 2
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// Lower is more urgent.
    package static func < (a: LogPriority, b: LogPriority) -> Bool { a.rawValue < b.rawValue }
}
