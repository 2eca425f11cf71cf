import CSystemd
import Glibc

// Unsafe: the owner of the message keeps it while it is written; sd-bus provides as much space as
// requested.

/// Appends values to a message under construction. sd-bus checks every value against its container:
/// ENXIO when an element does not have the type of its array, EINVAL for an invalid object path or
/// signature.
@safe struct BusWriter {
    /// dbus-daemon disconnects the sender of a larger message: 32 MiB on the system bus
    /// (max_message_size, dbus-daemon(1)), including a small header. One client that asks for too
    /// much must not cost the others the service.
    static let sizeLimit = 32 << 20 - 1 << 16

    private let message: OpaquePointer
    /// Where the next value goes, in bytes from the start of the body.
    private var position = 0

    /// Bytes written.
    var size: Int { position }

    init(message: OpaquePointer) { unsafe self.message = unsafe message }

    mutating func append(_ values: [BusValue]) throws(SystemError) {
        for value in values { try append(value) }
    }

    mutating func append(_ value: BusValue) throws(SystemError) {
        switch value {
        case .byte(let value): try fixed(.byte, value)
        // sd-bus reads a boolean as an int.
        case .bool(let value): try fixed(.bool, Int32(value ? 1 : 0))
        case .int16(let value): try fixed(.int16, value)
        case .uint16(let value): try fixed(.uint16, value)
        case .int32(let value): try fixed(.int32, value)
        case .uint32(let value): try fixed(.uint32, value)
        case .int64(let value): try fixed(.int64, value)
        case .uint64(let value): try fixed(.uint64, value)
        case .double(let value): try fixed(.double, value)
        case .fileDescriptor(let value): try fixed(.fileDescriptor, value)
        case .string(let value): try string(value)
        case .objectPath(let value): try text(.objectPath, value)
        case .signature(let value): try text(.signature, value)
        case .bytes(let bytes):
            try advance(alignment: 4, 4 + bytes.count)
            try unsafe check(
                sd_bus_message_append_array(message, .byte, bytes, bytes.count), writing("ay"))
        case .array(let element, let elements):
            try advance(alignment: 4, 4)
            try advance(alignment: Self.alignment(element), 0)
            try open(.array, element)
            for value in elements { try append(value) }
            try close()
        case .options(let options): try append(options)
        case .structure(let members):
            try advance(alignment: 8, 0)
            let contents = members.signature
            try open(.structure, contents)
            try append(members)
            try close()
        case .entry(let key, let value):
            try advance(alignment: 8, 0)
            let contents = key.signature + value.signature
            try open(.entry, contents)
            try append(key)
            try append(value)
            try close()
        case .variant(let inner): try variant(inner)
        }
    }

    private mutating func append(_ options: [BusOption]) throws(SystemError) {
        try advance(alignment: 4, 4)
        try advance(alignment: 8, 0)
        try open(.array, "{sv}" as StaticString)
        for option in options {
            try advance(alignment: 8, 0)
            try open(.entry, "sv" as StaticString)
            try string(option.key)
            try variant(option.value)
            try close()
        }
        try close()
    }

    private mutating func variant(_ inner: BusValue) throws(SystemError) {
        if let contents = inner.commonSignature {
            try advance(alignment: 1, contents.utf8CodeUnitCount + 2)
            try open(.variant, contents)
        } else {
            let contents = inner.signature
            try advance(alignment: 1, contents.utf8.count + 2)
            try open(.variant, contents)
        }
        try append(inner)
        try close()
    }

    private func open(_ type: CChar, _ contents: String) throws(SystemError) {
        // sd-bus 252 sends a structure without members; the bus then disconnects us.
        guard type == .structure ? !contents.isEmpty : !Self.holdsEmptyStructure(contents) else {
            throw SystemError(operation: writing("an empty structure"), errno: EINVAL)
        }
        let result = unsafe contents.withCString {
            unsafe sd_bus_message_open_container(message, type, $0)
        }
        try check(result, writing(contents))
    }

    /// The same for contents known to be correct; literals end with a NUL.
    private func open(_ type: CChar, _ contents: StaticString) throws(SystemError) {
        let result = unsafe contents.utf8Start.withMemoryRebound(
            to: CChar.self, capacity: contents.utf8CodeUnitCount + 1
        ) { unsafe sd_bus_message_open_container(message, type, $0) }
        try check(result, writing("\(contents)"))
    }

    private func close() throws(SystemError) {
        try unsafe check(sd_bus_message_close_container(message), writing("the end of a container"))
    }

    private static func holdsEmptyStructure(_ signature: String) -> Bool {
        var before = UInt8(0)
        for byte in signature.utf8 {
            if before == UInt8(ascii: "("), byte == UInt8(ascii: ")") { return true }
            before = byte
        }
        return false
    }

    private mutating func fixed<Value: BitwiseCopyable>(
        _ type: CChar, _ value: Value
    ) throws(SystemError) {
        // sd-bus accepts values in the layout of the wire format.
        try advance(alignment: MemoryLayout<Value>.size, MemoryLayout<Value>.size)
        let result = unsafe withUnsafePointer(to: value) {
            unsafe sd_bus_message_append_basic(message, type, $0)
        }
        try check(result, writing("a number"))
    }

    private mutating func text(_ type: CChar, _ value: String) throws(SystemError) {
        guard !value.utf8.contains(0) else {
            throw SystemError(operation: writing("a NUL"), errno: EINVAL)
        }
        try advance(alignment: type == .signature ? 1 : 4, value.utf8.count + 5)
        let result = unsafe value.withCString {
            unsafe sd_bus_message_append_basic(message, type, $0)
        }
        try check(result, writing("\"\(value)\""))
    }

    private mutating func string(_ value: String) throws(SystemError) {
        try advance(alignment: 4, value.utf8.count + 5)
        var carried = value
        var result = carried.withUTF8 {
            unsafe Self.isPlain($0) ? unsafe append(text: $0) : nil
        }
        if result == nil {
            carried = value.carriedByBus
            try advance(alignment: 1, carried.utf8.count - value.utf8.count)
            result = carried.withUTF8 { unsafe append(text: $0) }
        }
        try check(result ?? 0, writing("\"\(value)\""))
    }

    /// Directly into the message: sd-bus would validate it character by character as UTF-8, which
    /// a `String` always is.
    private func append(text: UnsafeBufferPointer<UInt8>) -> Int32 {
        var space: UnsafeMutablePointer<CChar>?
        let result = unsafe sd_bus_message_append_string_space(message, text.count, &space)
        if let space = unsafe space, let from = text.baseAddress {
            unsafe memcpy(space, from, text.count)
        }
        return result
    }

    /// Whether it certainly contains nothing that ``String/carriedByBus`` would replace: the
    /// noncharacters are all above U+FDCF, so that their UTF-8 starts at EF or later.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == 0 || byte >= 0xEF { return false }
        }
        return true
    }

    /// Counts `size` bytes after padding to a power of two; EMSGSIZE beyond the limit.
    private mutating func advance(alignment: Int, _ size: Int) throws(SystemError) {
        position = ((position + alignment - 1) & ~(alignment - 1)) + size
        guard position <= Self.sizeLimit else {
            throw SystemError(operation: writing("more than a bus carries"), errno: EMSGSIZE)
        }
    }

    /// The alignment of this type, bytes: summary of marshalling in the D-Bus specification.
    private static func alignment(_ signature: String) -> Int {
        switch signature.first {
        case "y", "g", "v": 1
        case "n", "q": 2
        case "x", "t", "d", "(", "{": 8
        default: 4
        }
    }

    private func writing(_ what: String) -> String { "writing \(what) to a message" }
}

extension BusValue {
    /// A precomputed signature for the types that an `a{sv}` holds most often.
    fileprivate var commonSignature: StaticString? {
        switch self {
        case .bool: "b"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .options: "a{sv}"
        default: nil
        }
    }
}

extension String {
    /// sd-bus refuses a message for a NUL and for a noncharacter such as U+FFFE; one odd title from
    /// a file must not prevent an event from being announced.
    var carriedByBus: String {
        func isOdd(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value == 0 || scalar.properties.isNoncharacterCodePoint
        }
        guard unicodeScalars.contains(where: isOdd) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(isOdd(scalar) ? "\u{FFFD}" : scalar) }
        return String(scalars)
    }
}
