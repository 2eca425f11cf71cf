package import Engine
import JSON

/// The meaning of a line of gpsd.
package enum GpsdWord: Equatable {
    /// A position.
    case report(PositionReport)
    /// A malformed position.
    case unreadable
    /// Its release.
    case version(String)
    /// This receiver was removed.
    case deviceGone(String)
    /// This receiver is present.
    case deviceHere(String)
    /// A command that failed in gpsd, and why.
    case error(String)
    /// Not relevant here, or not from gpsd.
    case other

    /// From an object that is relevant but not a position: `{"class":"DEVICE","path":…`.
    init(control line: [UInt8]) {
        guard let object = try? JSONValue(parsing: line) else {
            self = .other
            return
        }
        func text(_ key: String) -> String? { object[key]?.string.map(PeerText.shown) }
        switch object["class"]?.string {
        case "VERSION": self = .version(text("release") ?? "of unknown version")
        case "ERROR": self = .error(text("message") ?? "unknown error")
        case "DEVICE":
            guard let path = text("path") else {
                self = .other
                return
            }
            // {"class":"DEVICE","path":"…","activated":0} means that one was removed.
            self = object["activated"]?.double == 0 ? .deviceGone(path) : .deviceHere(path)
        default: self = .other
        }
    }
}
