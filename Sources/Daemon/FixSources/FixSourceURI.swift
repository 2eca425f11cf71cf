/// `[Source] URI=` and `--source`.
package enum FixSourceURI: Hashable, Sendable {
    /// `gpsd://HOST:PORT[/DEVICE]`.
    case gpsd(GpsdAddress)
    /// `gpsd:PATH`, the UNIX socket of a gpsd.
    case gpsdSocket(path: String)
    /// `nmea:PATH[?baud=N]`, where `-` is the standard input.
    case nmea(path: String, baud: Int?)
    /// `replay:FILE[?rate=N][&beacons=FILE]`, N times the recorded speed; 0 is as fast as possible;
    /// optionally with the beacons that were heard on the drive, a ``SightingFile``.
    case replay(path: String, rate: Double, beacons: String? = nil)

    /// A recording, which is its own clock.
    package var isReplay: Bool {
        if case .replay = self { true } else { false }
    }

    package init(_ text: String) throws(FixSourceURIError) {
        if let rest = text.after("gpsd://") {
            self = .gpsd(try GpsdAddress(rest, of: text))
        } else if let path = text.after("gpsd:") {
            // The longest socket name of the kernel, including its final NUL.
            guard path.utf8.count < 108 else { throw FixSourceURIError("too long a path", text) }
            self = .gpsdSocket(path: try Self.checked(path, text))
        } else if let rest = text.after("nmea:") {
            let (path, option) = Self.split(rest)
            let baud = try option.map { option throws(FixSourceURIError) in
                guard let value = option.after("baud="), let baud = Int(value), baud > 0 else {
                    throw FixSourceURIError("\(option): only baud=N is known", text)
                }
                return baud
            }
            self = .nmea(path: try Self.checked(path, text), baud: baud)
        } else if let rest = text.after("replay:") {
            let (path, option) = Self.split(rest)
            var rate = 1.0
            var beacons: String?
            for option in option?.split(separator: "&") ?? [] {
                if let value = option.after("rate="), let number = Double(value), number.isFinite,
                    number >= 0
                {
                    rate = number
                } else if let value = option.after("beacons="), !value.isEmpty {
                    beacons = try Self.checked(value, text)
                } else {
                    throw FixSourceURIError(
                        "\(option): only rate=N and beacons=FILE are known", text)
                }
            }
            self = .replay(path: try Self.checked(path, text), rate: rate, beacons: beacons)
        } else {
            throw FixSourceURIError("neither gpsd:, nmea: nor replay:", text)
        }
    }

    /// The path, and what follows the last question mark.
    private static func split(_ text: String) -> (path: String, option: String?) {
        guard let mark = text.lastIndex(of: "?") else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    private static func checked(
        _ path: String, _ uri: String
    ) throws(FixSourceURIError) -> String {
        guard !path.isEmpty else { throw FixSourceURIError("no path", uri) }
        guard !path.utf8.contains(0) else { throw FixSourceURIError("a NUL in the path", uri) }
        return path
    }
}

/// Why a source's URI is invalid.
package struct FixSourceURIError: Error, Hashable, CustomStringConvertible {
    /// A phrase without a full stop.
    package let reason: String
    /// The URI as given.
    package let uri: String

    init(_ reason: String, _ uri: String) {
        self.reason = reason
        self.uri = uri
    }

    /// `what is wrong: where`.
    package var description: String { "\(reason): \(uri)" }
}

/// A gpsd, and one of its receivers.
package struct GpsdAddress: Hashable, Sendable {
    /// A name or address; IPv6 without its brackets.
    package var host: String
    /// TCP port.
    package var port: UInt16
    /// The receiver, as gpsd names it: `/dev/ttyUSB0`, `tcp://HOST:PORT`; nil for the first that has
    /// a fix.
    package var device: String?

    package init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// `HOST[:PORT][/DEVICE]`; an IPv6 address is in brackets. A device that is no path follows the
    /// slash; a colon before it, as gpsd's own clients write it, is accepted.
    fileprivate init(_ text: String, of uri: String) throws(FixSourceURIError) {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        var authority = text[..<slash]
        var device = text[slash...]
        if device.count > 1, authority.last == ":" { authority = authority.dropLast() }
        if device.dropFirst().prefix(while: { $0 != "/" }).last == ":" {
            device = device.dropFirst()
        }
        var port = "2947"
        var host = String(authority)
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else {
                throw FixSourceURIError("a bracket without its end", uri)
            }
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            let rest = authority[authority.index(after: end)...]
            if !rest.isEmpty {
                guard rest.first == ":" else { throw FixSourceURIError("no port: \(rest)", uri) }
                port = String(rest.dropFirst())
            }
        } else if let colon = authority.lastIndex(of: ":") {
            host = String(authority[..<colon])
            port = String(authority[authority.index(after: colon)...])
        }
        guard let number = UInt16(port), number > 0 else {
            throw FixSourceURIError("no port: \(port)", uri)
        }
        // Must need no escapes in gpsd's JSON, and the name must fit its field.
        guard device.utf8.allSatisfy({ $0 > 0x1F && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }),
            device.utf8.count < 128
        else { throw FixSourceURIError("no device: \(device)", uri) }
        self.init(
            host: host.isEmpty ? "localhost" : host, port: number,
            device: device.count > 1 ? String(device) : nil)
    }
}

extension StringProtocol {
    /// The text after a prefix; nil if it does not begin with it.
    fileprivate func after(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
