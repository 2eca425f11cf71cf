import Glibc

/// Cuts what gpsd sends, or a log of it, into objects, one a line and of bounded length: a line
/// that does not end is passed over up to the next newline.
///
/// What stands in front of the first brace is left out (`gpspipe -t` puts the time there), and so
/// is white space between the words, for libgps knows `"class":"TPV"` only as gpsd writes it.
package struct GpsdLines {
    /// gpsd's own longest response is 10,240 bytes (GPS_JSON_RESPONSE_MAX).
    static let longest = 16_384

    package init() {}

    private var line: [CChar] = []
    private var isQuoted = false
    private var isEscaped = false
    private var isOverlong = false
    /// Lines that were longer than ``longest``.
    private(set) var overlong = 0
    /// Lines that have ended.
    private(set) var count = 0

    /// Takes bytes; `body` gets every object that ends in them, NUL-terminated, with the
    /// number of its line, from 1.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeMutableBufferPointer<CChar>, _ line: Int) -> Void
    ) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                finish(body)
                count += 1
            } else if !isOverlong {
                take(byte)
            }
        }
    }

    /// Gives the last line of a log that does not end with a newline.
    package mutating func finish(_ body: (UnsafeMutableBufferPointer<CChar>, _ line: Int) -> Void) {
        if !line.isEmpty, !isOverlong {
            line.append(0)
            line.withUnsafeMutableBufferPointer { body($0, count + 1) }
        }
        line.removeAll(keepingCapacity: true)
        (isQuoted, isEscaped, isOverlong) = (false, false, false)
    }

    private mutating func take(_ byte: UInt8) {
        // libgps takes C strings: a NUL would hide the rest of the line from it.
        if byte == 0 || line.isEmpty && byte != UInt8(ascii: "{") { return }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
            isQuoted.toggle()
        } else if isQuoted {
            isEscaped = byte == UInt8(ascii: "\\")
        } else if byte <= UInt8(ascii: " ") {
            return
        }
        guard line.count < Self.longest else {
            isOverlong = true
            overlong += 1
            return
        }
        line.append(CChar(truncatingIfNeeded: byte))
    }
}

extension UnsafeMutableBufferPointer where Element == CChar {
    /// Whether a NUL-terminated object says that it is of this class.
    package func isObject(ofClass name: String) -> Bool {
        guard let baseAddress else { return false }
        return strstr(baseAddress, "\"class\":\"\(name)\"") != nil
    }
}
