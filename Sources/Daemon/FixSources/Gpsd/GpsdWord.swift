import JSON
package import Model

/// The meaning of a line of gpsd.
package enum GpsdWord: Equatable {
    /// A position, and the receiver that it is of, if it names one.
    case report(PositionReport, from: String?)
    /// A malformed position.
    case unreadable
    /// Its release.
    case version(String)
    /// Receivers, and the drivers by which gpsd reads them, where it knows.
    case drivers([String: String])
    /// This receiver was removed.
    case deviceGone(String)
    /// This receiver is present, and is read by this driver, if gpsd knows already.
    case deviceHere(String, driver: String?)
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
        case "DEVICES":
            var drivers: [String: String] = [:]
            for device in object["devices"]?.array ?? [] {
                guard let path = device["path"]?.string.map(PeerText.shown) else { continue }
                drivers[path] = device["driver"]?.string.map(PeerText.shown)
            }
            self = .drivers(drivers)
        case "DEVICE":
            guard let path = text("path") else {
                self = .other
                return
            }
            // {"class":"DEVICE","path":"…","activated":0} means that one was removed.
            self =
                object["activated"]?.double == 0
                ? .deviceGone(path) : .deviceHere(path, driver: text("driver"))
        default: self = .other
        }
    }
}
