import CSystemd
import Glibc

// Unsafe: the owner of the message keeps it while it is read; what sd-bus lends of it is copied at
// once.

/// Walks a message from front to back. sd-bus has checked the encoding (lengths, UTF-8, object
/// paths) by the time a value is returned; here the size is limited.
@safe struct BusReader {
    private let message: OpaquePointer
    private let limits: BusLimits
    private var count = 0
    private var bytes = 0
    /// Containers that were entered by ``read(depth:)`` and not left.
    private var entered = 0

    init(message: OpaquePointer, limits: BusLimits) {
        unsafe self.message = unsafe message
        self.limits = limits
    }

    /// The rest of the container that was entered, or of the message.
    mutating func readAll(depth: Int) throws(SystemError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try read(depth: depth) { values.append(value) }
        return values
    }

    /// Enters an array that is read one element at a time.
    mutating func enterArray(of contents: String) throws(SystemError) {
        unsafe try check(sd_bus_message_enter_container(message, .array, contents), reading)
    }

    /// The next element of the array that was entered; nil after the last, and then the array is
    /// left. `limits.values` applies to each element, `limits.bytes` to all of them.
    mutating func nextElement() throws(SystemError) -> BusValue? {
        if let element = try read(depth: 1) {
            count = 0
            return element
        }
        unsafe try check(sd_bus_message_exit_container(message), reading)
        return nil
    }

    /// The next entry of the array that was entered: its key, a text, and its value, which is passed
    /// over if it is not wanted or exceeds the limits, and then nil. Nil after the last entry, and
    /// then the array is left. The limits apply to each entry.
    mutating func nextEntry(
        of contents: String, where isWanted: (String) -> Bool
    ) throws(SystemError) -> (key: String, value: BusValue?)? {
        (count, bytes) = (0, 0)
        let level = entered
        guard try enter(.entry, contents) else {
            unsafe try check(sd_bus_message_exit_container(message), reading)
            return nil
        }
        guard let key = try read(depth: 2)?.asString else {
            throw SystemError(operation: reading, errno: EBADMSG)
        }
        var value: BusValue?
        do throws(SystemError) {
            if isWanted(key) { value = try read(depth: 2) }
        } catch {
            guard error.errno == E2BIG else { throw error }
        }
        try leave(to: level)
        return (key, value)
    }

    /// False at the end of an array.
    private mutating func enter(_ type: CChar, _ contents: String) throws(SystemError) -> Bool {
        guard
            try unsafe check(sd_bus_message_enter_container(message, type, contents), reading) > 0
        else { return false }
        entered += 1
        return true
    }

    /// Passes over the rest of the containers beyond that level.
    private mutating func leave(to level: Int) throws(SystemError) {
        while entered > level {
            // 0 at the end of an array, ENXIO at that of any other container.
            var skipped: Int32 = 1
            while skipped > 0 { unsafe skipped = sd_bus_message_skip(message, nil) }
            if skipped != -ENXIO { try check(skipped, reading) }
            unsafe try check(sd_bus_message_exit_container(message), reading)
            entered -= 1
        }
    }

    /// The next value, nil at the end of the container.
    mutating func read(depth: Int) throws(SystemError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try unsafe check(sd_bus_message_peek_type(message, &type, &contents), reading) > 0
        else {
            return nil
        }
        count += 1
        guard count <= limits.values else {
            throw SystemError(operation: "\(reading): too many values", errno: E2BIG)
        }
        guard let contents = unsafe contents else { return try readBasic(type) }
        guard depth < limits.depth else {
            throw SystemError(operation: "\(reading): too deep", errno: E2BIG)
        }
        return unsafe try readContainer(type, String(cString: contents), depth: depth + 1)
    }

    private mutating func readContainer(
        _ type: CChar, _ contents: String, depth: Int
    ) throws(SystemError) -> BusValue {
        if contents == "y", type == .array { return try readBytes() }
        _ = try enter(type, contents)
        let members = try readAll(depth: depth)
        try unsafe check(sd_bus_message_exit_container(message), reading)
        entered -= 1
        switch type {
        case .array where contents == "{sv}":
            return .options(members.compactMap(BusOption.init))
        case .array:
            return .array(of: contents, members)
        case .variant where members.count == 1:
            return .variant(members[0])
        case .entry where members.count == 2:
            return .entry(members[0], members[1])
        case .structure:
            return .structure(members)
        default:
            throw SystemError(operation: reading, errno: EBADMSG)
        }
    }

    private mutating func add(_ size: Int) throws(SystemError) {
        bytes += size
        guard bytes <= limits.bytes else {
            throw SystemError(
                operation: "\(reading): more than \(limits.bytes) bytes", errno: E2BIG)
        }
    }

    private mutating func readBytes() throws(SystemError) -> BusValue {
        var start: UnsafeRawPointer?
        var size = 0
        unsafe try check(sd_bus_message_read_array(message, .byte, &start, &size), reading)
        try add(size)
        return unsafe .bytes(
            Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size)))
    }

    private mutating func readBasic(_ type: CChar) throws(SystemError) -> BusValue {
        switch type {
        case .byte: return .byte(try fixed(type, 0))
        // sd-bus stores a boolean as an int.
        case .bool: return .bool(try fixed(type, Int32(0)) != 0)
        case .int16: return .int16(try fixed(type, 0))
        case .uint16: return .uint16(try fixed(type, 0))
        case .int32: return .int32(try fixed(type, 0))
        case .uint32: return .uint32(try fixed(type, 0))
        case .int64: return .int64(try fixed(type, 0))
        case .uint64: return .uint64(try fixed(type, 0))
        case .double: return .double(try fixed(type, 0))
        case .fileDescriptor: return .fileDescriptor(try fixed(type, -1))
        case .string: return .string(try text(type))
        case .objectPath: return .objectPath(try text(type))
        case .signature: return .signature(try text(type))
        default: throw SystemError(operation: reading, errno: EBADMSG)
        }
    }

    private mutating func fixed<Value: BitwiseCopyable>(
        _ type: CChar, _ zero: Value
    ) throws(SystemError) -> Value {
        try add(MemoryLayout<Value>.size)
        var value = zero
        try unsafe check(sd_bus_message_read_basic(message, type, &value), reading)
        return value
    }

    private mutating func text(_ type: CChar) throws(SystemError) -> String {
        var start: UnsafePointer<CChar>?
        unsafe try check(sd_bus_message_read_basic(message, type, &start), reading)
        guard let start = unsafe start else { return "" }
        // Checked before it is copied.
        unsafe try add(strlen(start))
        return unsafe String(cString: start)
    }
}

extension BusOption {
    /// A value that sd-bus has identified as `{sv}`.
    fileprivate init?(_ value: BusValue) {
        guard case .entry(.string(let key), .variant(let inner)) = value else { return nil }
        self.init(key, inner)
    }
}

private let reading = "reading a message"

/// The type codes of sd-bus.
extension CChar {
    static let byte = CChar(ascii: "y")
    static let bool = CChar(ascii: "b")
    static let int16 = CChar(ascii: "n")
    static let uint16 = CChar(ascii: "q")
    static let int32 = CChar(ascii: "i")
    static let uint32 = CChar(ascii: "u")
    static let int64 = CChar(ascii: "x")
    static let uint64 = CChar(ascii: "t")
    static let double = CChar(ascii: "d")
    static let string = CChar(ascii: "s")
    static let objectPath = CChar(ascii: "o")
    static let signature = CChar(ascii: "g")
    static let fileDescriptor = CChar(ascii: "h")
    static let array = CChar(ascii: "a")
    static let variant = CChar(ascii: "v")
    static let structure = CChar(ascii: "r")
    static let entry = CChar(ascii: "e")

    private init(ascii: Unicode.Scalar) { self = CChar(UInt8(ascii: ascii)) }
}
