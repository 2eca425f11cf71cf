import Glibc

// Unsafe: system calls take a path and an array of ours.

/// One configuration file of a companion, in the syntax of geofenced.conf. Its reader takes the keys
/// that it knows; what is left, and what cannot be understood, is a problem with file and line. A
/// companion does not start with a problem: half a filter would let too much out.
package struct ProgramSettings {
    /// Everything that is wrong, in the order of the file once ``finish()`` was called.
    package private(set) var problems: [SettingsProblem] = []
    private let path: String
    private var entries: [INI.Entry] = []
    private var sections: Set<String> = []

    /// Size limit of the file, bytes.
    private static let longest = 1 << 20

    /// Reads the file.
    package init(path: String) {
        self.path = path
        do throws(BadValue) { take(try Self.bytes(of: path)) } catch {
            problems.append(
                SettingsProblem(file: path, line: nil, key: nil, reason: error.reason))
        }
    }

    /// From the content of a file; `path` is for the problems.
    package init(_ bytes: [UInt8], path: String) {
        self.path = path
        take(bytes)
    }

    /// The last value of a key; nil if it is missing or empty.
    package mutating func text(_ section: String, _ key: String) -> String? {
        sections.insert(section)
        let isMeant: (INI.Entry) -> Bool = { $0.section == section && $0.key == key }
        let last = entries.last(where: isMeant)
        entries.removeAll(where: isMeant)
        guard let last, !last.value.isEmpty else { return nil }
        lines["\(section).\(key)"] = last.line
        return last.value
    }

    /// Words separated by commas or spaces; empty if the key is missing.
    package mutating func list(_ section: String, _ key: String) -> [String] {
        (text(section, key) ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// `yes`, `no`, and the other words of systemd.syntax(7).
    package mutating func flag(_ section: String, _ key: String, _ standard: Bool) -> Bool {
        guard let text = text(section, key) else { return standard }
        switch text.lowercased() {
        case "yes", "true", "on", "1", "y", "t": return true
        case "no", "false", "off", "0", "n", "f": return false
        default:
            refuse(section, key, "\(text): neither yes nor no")
            return standard
        }
    }

    /// A time span, s.
    package mutating func span(
        _ section: String, _ key: String, _ standard: Double, in range: ClosedRange<Double>
    ) -> Double {
        guard let text = text(section, key) else { return standard }
        do throws(BadValue) {
            let value = try Quantity.timeSpan.parse(text)
            if range.contains(value) { return value }
            let bounds = [range.lowerBound, range.upperBound].map(Quantity.timeSpan.format)
            refuse(section, key, "\(text): not from \(bounds[0]) to \(bounds[1])")
        } catch { refuse(section, key, "\(text): \(error.reason)") }
        return standard
    }

    /// One of several words.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ section: String, _ key: String, _ standard: Choice
    ) -> Choice where Choice.RawValue == String {
        guard let text = text(section, key) else { return standard }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(section, key, "\(text): none of \(words)")
        return standard
    }

    /// Reports a value that was taken, and turned out to be useless.
    package mutating func refuse(_ section: String, _ key: String, _ reason: String) {
        problems.append(
            SettingsProblem(file: path, line: lines["\(section).\(key)"], key: key, reason: reason))
    }

    /// All keys have been taken: what is left over is unknown.
    package mutating func finish() {
        for entry in entries where !entry.section.hasPrefix("X-") && !entry.key.hasPrefix("X-") {
            let isKnown = sections.contains(entry.section)
            if entry.key.isEmpty, isKnown { continue }
            // Reported once, at the section header.
            if !entry.key.isEmpty, !isKnown { continue }
            problems.append(
                SettingsProblem(
                    file: path, line: entry.line, key: entry.key.isEmpty ? nil : entry.key,
                    reason: isKnown
                        ? "unknown key in [\(entry.section)]"
                        : "unknown section [\(entry.section)]"))
        }
        entries = []
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    /// Where a key was taken from, by `Section.Key`.
    private var lines: [String: Int] = [:]

    private mutating func take(_ bytes: [UInt8]) {
        let ini = INI(bytes)
        entries = ini.entries
        problems += ini.faults.map {
            SettingsProblem(file: path, line: $0.line, key: nil, reason: $0.reason)
        }
    }

    private static func bytes(of path: String) throws(BadValue) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw unsafe BadValue(reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw BadValue(reason: "no regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw unsafe BadValue(reason: String(cString: strerror(errno)))
            }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= longest else {
                throw BadValue(reason: "longer than \(longest) bytes")
            }
        }
    }
}
