import Files

/// The system's time zone files. Each is read once; a newer database is used from the next start.
package final class ZoneFiles {
    private let directory: String
    private let localPath: String
    private var known: [String: Zone] = [:]

    /// - Parameters:
    ///   - directory: the database.
    ///   - localPath: the file of the machine's zone.
    package init(
        directory: String = "/usr/share/zoneinfo", localPath: String = "/etc/localtime"
    ) {
        self.directory = directory
        self.localPath = localPath
    }

    /// The zone of the machine; UTC if it has none.
    package var local: Zone { Self.read(localPath) ?? .utc }

    /// - Parameter name: such as `Europe/Berlin`.
    /// - Throws: ``ZoneFlaw`` for a name without a file in the database.
    package func zone(named name: String) throws(ZoneFlaw) -> Zone {
        if let zone = known[name] { return zone }
        guard Self.isName(name), let zone = Self.read(directory + "/" + name) else {
            throw ZoneFlaw(name: name)
        }
        known[name] = zone
        return zone
    }

    /// Whether it consists of words of letters, digits, `_`, `-` and `+`, with slashes between
    /// them: such a name cannot lead out of the directory.
    package static func isName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count) else { return false }
        let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                        || [0x2B, 0x2D, 0x5F].contains(byte)
                }
        }
    }

    private static func read(_ path: String) -> Zone? {
        (try? OpenFile.contents(of: path, limit: ZoneFile.longest)).flatMap(ZoneFile.zone)
    }
}

/// A name that is not a time zone of this system.
package struct ZoneFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name as given.
    package var name: String

    package init(name: String) { self.name = name }

    package var description: String { "\"\(name)\" is no time zone of this system" }
}
