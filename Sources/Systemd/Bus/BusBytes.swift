import CSystemd
import Glibc

/// A signal as it goes over the bus, written by us: "Message Protocol" of the D-Bus specification,
/// https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol.
///
/// sd-bus keeps a record of every container that it opens, and an event has 26 of them. What is
/// written here is what we say all day: numbers, texts, `a{sv}`, and arrays of texts and of variants.
/// Everything else, what is too long and what is odd in any way stays sd-bus's to write or to refuse.
struct BusBytes {
    /// Where the kernel takes a message for a socket whole or not at all: unix_stream_sendmsg() cuts
    /// what is longer than 32 KiB.
    static let limit = 16 << 10
    /// Far below what D-Bus allows, and above what we send.
    private static let deepest = 20

    private let room: UnsafeMutableRawBufferPointer
    private var end = 0
    private var depth = 0

    private init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    /// Writes a whole message; how many bytes it has, or nil where that is left to sd-bus.
    static func write(
        _ signal: BusSignal, _ arguments: [BusValue], to destination: String?, serial: UInt32,
        in room: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var bytes = BusBytes(room)
        guard bytes.header(signal, arguments, destination, serial) else { return nil }
        let body = bytes.end
        for value in arguments {
            guard bytes.append(value) else { return nil }
        }
        bytes.set(UInt32(bytes.end - body), at: 4)
        return bytes.end
    }

    // MARK: Header

    private mutating func header(
        _ signal: BusSignal, _ arguments: [BusValue], _ destination: String?, _ serial: UInt32
    ) -> Bool {
        guard !signal.header.isEmpty, copy(signal.header) else { return false }
        set(serial, at: 8)
        if let destination {
            guard sd_bus_service_name_is_valid(destination) > 0, field(6, "s"), string(destination)
            else { return false }
        }
        guard field(8, "g"), signature(of: arguments) else { return false }
        set(UInt32(end - 16), at: 12)
        return pad(to: 8)
    }

    /// What is the same in every message of a signal: up to where the other fields follow.
    static func header(path: String, interface: String, member: String) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: limit, alignment: 8) { room in
            var bytes = BusBytes(room)
            // A signal, to which there is no answer; version 1. Lengths and serial come later.
            let isWritten =
                bytes.copy([UInt8(ascii: "l"), 4, 1, 1] + [UInt8](repeating: 0, count: 12))
                && bytes.field(1, "o") && bytes.string(path)
                && bytes.field(2, "s") && bytes.string(interface)
                && bytes.field(3, "s") && bytes.string(member)
            return isWritten ? Array(room[..<bytes.end]) : []
        }
    }

    private mutating func field(_ code: UInt8, _ type: Unicode.Scalar) -> Bool {
        pad(to: 8) && byte(code) && byte(1) && byte(UInt8(ascii: type)) && byte(0)
    }

    // MARK: Values

    private mutating func append(_ value: BusValue) -> Bool {
        switch value {
        case .byte(let value): return byte(value)
        case .bool(let value): return fixed(UInt32(value ? 1 : 0))
        case .int16(let value): return fixed(value)
        case .uint16(let value): return fixed(value)
        case .int32(let value): return fixed(value)
        case .uint32(let value): return fixed(value)
        case .int64(let value): return fixed(value)
        case .uint64(let value): return fixed(value)
        case .double(let value): return fixed(value.bitPattern)
        case .string(let value): return string(value)
        case .options(let options): return append(options)
        case .array("s", let elements):
            return array(alignment: 4) { bytes in
                for element in elements {
                    guard case .string(let value) = element, bytes.string(value) else {
                        return false
                    }
                }
                return true
            }
        case .array("v", let elements):
            return array(alignment: 1) { bytes in
                for element in elements {
                    guard case .variant(let inner) = element, bytes.variant(inner) else {
                        return false
                    }
                }
                return true
            }
        case .array, .variant, .bytes, .structure, .entry, .objectPath, .signature, .fileDescriptor:
            return false
        }
    }

    private mutating func append(_ options: [BusOption]) -> Bool {
        array(alignment: 8) { bytes in
            for option in options {
                guard bytes.pad(to: 8), bytes.string(option.key), bytes.variant(option.value) else {
                    return false
                }
            }
            return true
        }
    }

    private mutating func variant(_ inner: BusValue) -> Bool {
        guard let text = Self.signature(of: inner) else { return false }
        return byte(UInt8(text.utf8CodeUnitCount)) && copy(text) && byte(0) && append(inner)
    }

    /// Its length, which does not count what is put before the first element, and the elements.
    private mutating func array(alignment: Int, _ elements: (inout BusBytes) -> Bool) -> Bool {
        guard depth < Self.deepest, fixed(UInt32(0)) else { return false }
        let place = end - 4
        guard pad(to: alignment) else { return false }
        let start = end
        depth += 1
        guard elements(&self) else { return false }
        depth -= 1
        set(UInt32(end - start), at: place)
        return true
    }

    private mutating func string(_ value: String) -> Bool {
        var value = value
        if !value.withUTF8(BusWriter.isPlain) { value = value.carriedByBus }
        return value.withUTF8 { text in
            fixed(UInt32(truncatingIfNeeded: text.count)) && copy(UnsafeRawBufferPointer(text))
                && byte(0)
        }
    }

    private mutating func signature(of arguments: [BusValue]) -> Bool {
        let place = end
        guard byte(0) else { return false }
        for value in arguments {
            guard let text = Self.signature(of: value), copy(text) else { return false }
        }
        let count = end - place - 1
        guard count <= 255 else { return false }
        room[place] = UInt8(count)
        return byte(0)
    }

    /// Of what is written here.
    private static func signature(of value: BusValue) -> StaticString? {
        switch value {
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .array("s", _): "as"
        case .array("v", _): "av"
        default: value.commonSignature
        }
    }

    // MARK: Bytes

    private mutating func byte(_ value: UInt8) -> Bool {
        guard end < room.count else { return false }
        room[end] = value
        end += 1
        return true
    }

    private mutating func fixed<Value: FixedWidthInteger>(_ value: Value) -> Bool {
        let size = MemoryLayout<Value>.size
        guard pad(to: size), room.count - end >= size else { return false }
        room.storeBytes(of: value.littleEndian, toByteOffset: end, as: Value.self)
        end += size
        return true
    }

    /// With zeros, to a multiple of a power of two.
    private mutating func pad(to alignment: Int) -> Bool {
        let next = (end + alignment - 1) & ~(alignment - 1)
        guard next <= room.count else { return false }
        while end < next {
            room[end] = 0
            end += 1
        }
        return true
    }

    private mutating func copy(_ text: StaticString) -> Bool {
        copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func copy(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { copy($0) }
    }

    private mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard room.count - end >= bytes.count else { return false }
        if let from = bytes.baseAddress, let to = room.baseAddress {
            memcpy(to + end, from, bytes.count)
        }
        end += bytes.count
        return true
    }

    private func set(_ value: UInt32, at place: Int) {
        room.storeBytes(of: value.littleEndian, toByteOffset: place, as: UInt32.self)
    }
}
