/// One journal entry: fields in order, a name may come more than once.
package struct JournalEntry: Equatable, Sendable {
    package private(set) var fields: [Field] = []

    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: [UInt8]
    }

    package init() {}

    /// With the fields every entry should have. `messageID`: 32 hexadecimal digits.
    package init(_ message: String, _ priority: LogPriority, messageID: String? = nil) {
        append("MESSAGE", message)
        append("PRIORITY", String(priority.rawValue))
        if let messageID { append("MESSAGE_ID", messageID) }
    }

    /// Adds a field. The name is the programmer's: see ``isValid(name:)``; the value may hold
    /// anything, new lines and NULs too.
    package mutating func append(_ name: String, _ value: String) {
        append(name, Array(value.utf8))
    }

    /// Adds a field with a binary value.
    package mutating func append(_ name: String, _ value: [UInt8]) {
        precondition(Self.isValid(name: name), "\(name) is no name for a journal field")
        fields.append(Field(name: name, value: value))
    }

    /// Whether journald takes such a field from us: capitals, digits and underscores, at most 64,
    /// and a capital first; a leading underscore is for what journald itself knows
    /// (journal_field_valid of systemd, and systemd.journal-fields(7)).
    package static func isValid(name: String) -> Bool {
        guard let first = name.utf8.first, (0x41...0x5A).contains(first) else { return false }
        return name.utf8.count <= 64
            && name.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            }
    }

    /// As the native protocol has it: `NAME=value` and a new line; where the value itself has a new
    /// line, the name alone on a line, the length as 64 bits little-endian, the value, a new line.
    /// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/, "Data Format"
    package var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count + 10 })
        for field in fields {
            bytes += field.name.utf8
            if field.value.contains(0x0A) {
                bytes.append(0x0A)
                withUnsafeBytes(of: UInt64(field.value.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(0x3D)
            }
            bytes += field.value
            bytes.append(0x0A)
        }
        return bytes
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
