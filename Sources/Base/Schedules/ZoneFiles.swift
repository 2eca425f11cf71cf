import Files
import Glibc

/// The system's time zone files. Each is read once; a newer database is used from the next start.
package final class ZoneFiles {
    /// All zones in one file; bytes of the largest that is read, the present one has 110 KiB.
    private static let longestLinks = 1 << 20
    /// So many names are remembered that are not there.
    private static let mostMissing = 1_000

    private let directory: String
    private let localPath: String
    private var known: [String: Zone] = [:]
    /// Those that are not there, until ``lookAgain()``.
    private var missing: Set<String> = []
    /// The names that stand for others, in `tzdata.zi`; nil: it was not read.
    private var links: [String: String]?

    /// - Parameters:
    ///   - directory: the database.
    ///   - localPath: the file of the machine's zone.
    package init(
        directory: String = "/usr/share/zoneinfo", localPath: String = "/etc/localtime"
    ) {
        self.directory = directory
        self.localPath = localPath
    }

    /// The zone of the machine; UTC if nobody has set one.
    /// - Throws: ``ZoneFlaw`` if one was set, and cannot be read.
    package func local() throws(ZoneFlaw) -> Zone {
        if let zone = Self.read(localPath) { return zone }
        let target: String
        do throws(Errno) { target = try OpenFile.target(ofLink: localPath) } catch {
            if error == Errno(ENOENT) { return .utc }
            throw ZoneFlaw(name: localPath)
        }
        // Its file may be one that has become a link, see below.
        guard let name = target.suffix(behind: "/zoneinfo/") else {
            throw ZoneFlaw(name: "\(localPath), \(target)")
        }
        return try zone(named: name)
    }

    /// - Parameter name: such as `Europe/Berlin`.
    /// - Throws: ``ZoneFlaw`` for a name that the database does not have.
    package func zone(named name: String) throws(ZoneFlaw) -> Zone {
        if let zone = known[name] { return zone }
        guard Self.isName(name), !missing.contains(name) else { throw ZoneFlaw(name: name) }
        guard let zone = find(name) else {
            if missing.count < Self.mostMissing { missing.insert(name) }
            throw ZoneFlaw(name: name)
        }
        known[name] = zone
        return zone
    }

    /// Whether one was asked for that was not there.
    package var lacksZones: Bool { !missing.isEmpty }

    /// What was not there may be by now.
    /// - Returns: whether one of them is.
    @discardableResult
    package func lookAgain() -> Bool {
        let asked = missing
        missing.removeAll()
        links = nil
        return !asked.filter { (try? zone(named: $0)) != nil }.isEmpty
    }

    /// From its file, or that of the name for which it stands: since Debian 13 `US/Eastern`, `Japan` and
    /// others are no files any more unless tzdata-legacy is installed, but `tzdata.zi` still knows them.
    private func find(_ name: String) -> Zone? {
        var name = name
        // A link may lead to another one.
        for _ in 0..<4 {
            if let zone = Self.read(directory + "/" + name) { return zone }
            if ["UTC", "Etc/UTC"].contains(name) { return .utc }
            guard let next = readLinks()[name], Self.isName(next) else { return nil }
            name = next
        }
        return nil
    }

    private func readLinks() -> [String: String] {
        if let links { return links }
        var found: [String: String] = [:]
        let bytes = try? OpenFile.contents(
            of: directory + "/tzdata.zi", limit: Self.longestLinks)
        for line in (bytes ?? []).split(separator: UInt8(ascii: "\n")) {
            // L TARGET NAME (zic(8)).
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 3, words[0].elementsEqual("L".utf8) else { continue }
            found[String(decoding: words[2], as: UTF8.self)] =
                String(decoding: words[1], as: UTF8.self)
        }
        links = found
        return found
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

extension String {
    /// What stands behind the last of these; nil: there is none.
    fileprivate func suffix(behind mark: String) -> String? {
        let (text, mark) = (Array(utf8), Array(mark.utf8))
        let starts = text.indices.reversed().first { text[$0...].starts(with: mark) }
        return starts.map { String(decoding: text[($0 + mark.count)...], as: UTF8.self) }
    }
}
