import Files
import Glibc
package import Settings

/// What keeps the map from starting.
package struct MapProblem: Error, Equatable, CustomStringConvertible {
    /// In words.
    package var reason: String
    /// A file, an option.
    package var subject: String

    package init(_ reason: String, _ subject: String) {
        self.reason = reason
        self.subject = subject
    }

    package var description: String { "\(reason): \(subject)" }
}

/// The pictures below the fences.
package enum TileSource: Equatable, Sendable {
    /// A grid of degrees, and nothing else.
    case none
    /// A file in the MBTiles format.
    case file(String)
    /// The address of a server's tiles, with `{z}`, `{x}` and `{y}`; the browser asks it.
    case server(String)

    /// `scheme://host[:port]` of the server, for the page's content security policy.
    package var origin: String? {
        guard case .server(let address) = self else { return nil }
        return address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            .prefix(3).joined(separator: "/")
    }

    /// - Throws: for anything but `none`, `mbtiles:/FILE` and an address.
    init(_ text: String) throws(BadValue) {
        if text == "none" {
            self = .none
        } else if text.hasPrefix("mbtiles:/") {
            self = .file(String(text.dropFirst("mbtiles:".count)))
        } else if text.hasPrefix("https://") || text.hasPrefix("http://") {
            self = .server(text)
            // http:, nothing, host[:port]
            let parts = origin?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            let host = parts.count == 3 ? parts[2] : ""
            // It becomes a part of the policy, which blanks and semicolons would end.
            let isHost =
                !host.isEmpty
                && host.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x3A].contains(byte)
                }
            guard isHost, ["{z}", "{x}", "{y}"].allSatisfy({ Self.holds(text, $0) }) else {
                throw BadValue(reason: "no address with {z}, {x} and {y}")
            }
        } else {
            throw BadValue(reason: "neither none nor mbtiles:/FILE nor an address")
        }
    }
}

extension TileSource {
    /// Without the regular expressions that `contains` of the standard library brings along.
    private static func holds(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}

/// /etc/geofenced/map.conf.
package struct MapSettings: Equatable, Sendable {
    /// `Tiles=`.
    package var tiles = TileSource.none
    /// `Attribution=`: what is said beside the map; a server's tiles need one.
    package var attribution = ""
    /// Where it lies unless a command line says otherwise.
    package static let path = "/etc/geofenced/map.conf"
    private static let longest = 64 << 10

    package init() {}

    /// The settings, and everything that is wrong with them: what is wrong is ignored.
    /// - Throws: ``MapProblem`` for a file that exists and cannot be read.
    package static func load(
        _ path: String
    ) throws(MapProblem) -> (settings: MapSettings, problems: [SettingsProblem]) {
        do throws(UnreadableFile) {
            return parse(try OpenFile.contents(of: path, limit: longest), file: path)
        } catch {
            if error == .system(Errno(ENOENT)) { return (MapSettings(), []) }
            throw MapProblem("cannot be read", path)
        }
    }

    /// The same of bytes in memory.
    package static func parse(
        _ bytes: [UInt8], file: String
    ) -> (settings: MapSettings, problems: [SettingsProblem]) {
        var settings = MapSettings()
        let ini = INI(bytes)
        var problems = ini.faults.map {
            SettingsProblem(file: file, line: $0.line, reason: $0.reason)
        }
        for entry in ini.entries where !entry.section.hasPrefix("X-") {
            func refuse(_ reason: String) {
                problems.append(
                    SettingsProblem(
                        file: file, line: entry.line, key: entry.key.isEmpty ? nil : entry.key,
                        reason: reason))
            }
            guard entry.section == "Map" else {
                if entry.key.isEmpty { refuse("unknown section [\(entry.section)]") }
                continue
            }
            switch entry.key {
            case "": break
            case "Tiles":
                do throws(BadValue) {
                    settings.tiles = entry.value.isEmpty ? .none : try TileSource(entry.value)
                } catch { refuse(SettingsProblem.reason(error, for: entry.value)) }
            case "Attribution": settings.attribution = entry.value
            case let key where key.hasPrefix("X-"): break
            default: refuse("unknown key in [Map]")
            }
        }
        if case .server = settings.tiles, settings.attribution.isEmpty {
            problems.append(
                SettingsProblem(
                    file: file, key: "Attribution", reason: "missing beside the tiles of a server"))
            settings.tiles = .none
        }
        return (settings, problems)
    }
}
