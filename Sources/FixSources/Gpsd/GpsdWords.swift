import Glibc
import JSON

/// What gpsd says beside positions.
package enum GpsdWord: Equatable {
    /// A position.
    case tpv
    case version(String)
    case deviceGone(String)
    case deviceHere(String)
    case error(String)
    /// An object of no use here, or none at all.
    case other

    /// Of one line, NUL-terminated. gpsd puts the class first, so that only the few objects that
    /// are of use are looked into.
    package init(_ line: UnsafeMutableBufferPointer<CChar>) {
        if line.begins(with: "{\"class\":\"TPV\"") {
            self = .tpv
        } else if line.begins(with: "{\"class\":\"VERSION\"")
            || line.begins(with: "{\"class\":\"DEVICE\"")
            || line.begins(with: "{\"class\":\"ERROR\"")
        {
            self.init(control: line)
        } else {
            self = .other
        }
    }

    private init(control line: UnsafeMutableBufferPointer<CChar>) {
        let bytes = line.dropLast().map { UInt8(truncatingIfNeeded: $0) }
        guard let object = try? JSONValue(parsing: bytes) else {
            self = .other
            return
        }
        switch object["class"]?.string {
        case "VERSION": self = .version(object["release"]?.string ?? "of unknown version")
        case "ERROR": self = .error(object["message"]?.string ?? "unknown error")
        case "DEVICE":
            guard let path = object["path"]?.string else {
                self = .other
                return
            }
            // {"class":"DEVICE","path":"…","activated":0} is how gpsd says that one has gone.
            self = object["activated"]?.double == 0 ? .deviceGone(path) : .deviceHere(path)
        default: self = .other
        }
    }
}

extension UnsafeMutableBufferPointer where Element == CChar {
    fileprivate func begins(with prefix: StaticString) -> Bool {
        guard let baseAddress, count >= prefix.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }
}
