import JSON
package import Model
import Time

/// The meaning of a line of gpsd.
package enum GpsdWord: Equatable {
    /// A position, and the receiver that it is of, if it names one.
    case report(PositionReport, from: String?)
    /// A malformed position.
    case unreadable
    /// Its release.
    case version(String)
    /// All of its receivers, and the drivers by which it reads them, where it knows.
    case devices([String: String?])
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
            guard let listed = object["devices"]?.array else {
                self = .other
                return
            }
            var devices: [String: String?] = [:]
            for device in listed where !Self.isTakenAway(device) {
                guard let path = device["path"]?.string.map(PeerText.shown) else { continue }
                devices.updateValue(device["driver"]?.string.map(PeerText.shown), forKey: path)
            }
            self = .devices(devices)
        case "DEVICE":
            guard let path = text("path") else {
                self = .other
                return
            }
            self =
                Self.isTakenAway(object)
                ? .deviceGone(path) : .deviceHere(path, driver: text("driver"))
        default: self = .other
        }
    }

    /// `"activated":0` means that it was removed; where the time is a text, 1970 does.
    private static func isTakenAway(_ device: JSONValue) -> Bool {
        guard let activated = device["activated"] else { return false }
        let time = activated.string.flatMap { UTCTime(iso8601: $0)?.nanoseconds }
        return activated.double == 0 || time == 0
    }
}
