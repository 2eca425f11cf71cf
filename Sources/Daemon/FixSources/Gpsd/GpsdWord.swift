package import Engine
import JSON

/// What a line of gpsd says.
package enum GpsdWord: Equatable {
    /// A position.
    case report(PositionReport)
    /// A position that cannot be read.
    case unreadable
    /// Of which release it is.
    case version(String)
    /// This receiver has gone.
    case deviceGone(String)
    /// This receiver is there.
    case deviceHere(String)
    /// A command that gpsd could not do, and why.
    case error(String)
    /// Of no use here, or not of gpsd.
    case other

    /// Of an object that is neither a position nor of no use: `{"class":"DEVICE","path":…`.
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
            // {"class":"DEVICE","path":"…","activated":0} is how gpsd says that one has gone.
            self = object["activated"]?.double == 0 ? .deviceGone(path) : .deviceHere(path)
        default: self = .other
        }
    }
}
