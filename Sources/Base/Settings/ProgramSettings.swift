import Files

/// One configuration file of a companion, in the syntax of geofenced.conf. Its reader takes the keys
/// that it knows; what is left, and what cannot be understood, is a problem with file and line. A
/// companion does not run with a problem: half a filter would let too much out, and half of a source
/// is another source.
package struct ProgramSettings {
    /// Everything that is wrong, in the order of the file once ``finish()`` was called.
    package var problems: [SettingsProblem] { found.sorted { ($0.line ?? 0) < ($1.line ?? 0) } }
    private var found: [SettingsProblem] = []
    private let path: String
    /// That the file could not be read is all that is wrong: no key is missing from it.
    private var isUnread = false
    private var entries: [INI.Entry] = []
    private var sections: Set<String> = []
    /// Where a key was taken from, by `Section.Key`.
    private var lines: [String: Int] = [:]

    /// Size limit of the file, bytes.
    private static let longest = 1 << 20

    /// Reads the file.
    package init(path: String) {
        self.path = path
        do throws(UnreadableFile) {
            read(try OpenFile.contents(of: path, limit: Self.longest))
        } catch {
            isUnread = true
            found.append(SettingsProblem(file: path, reason: error.description))
        }
    }

    /// From the content of a file; `path` is for the problems.
    package init(_ bytes: [UInt8], path: String) {
        self.path = path
        read(bytes)
    }

    /// The last value of a key; nil if it is missing or empty.
    package mutating func text(_ section: String, _ key: String) -> String? {
        sections.insert(section)
        let isMeant: (INI.Entry) -> Bool = { $0.section == section && $0.key == key }
        let last = entries.last(where: isMeant)
        entries.removeAll(where: isMeant)
        guard let last else { return nil }
        lines["\(section).\(key)"] = last.line
        return last.value.isEmpty ? nil : last.value
    }

    /// The value of a key, read by `parse`; nil if it is missing, empty, or refused, which is a
    /// problem.
    package mutating func value<Value>(
        _ section: String, _ key: String, _ parse: (String) throws(BadValue) -> Value
    ) -> Value? {
        guard let text = text(section, key) else { return nil }
        do throws(BadValue) { return try parse(text) } catch {
            refuse(section, key, SettingsProblem.reason(error, for: text))
            return nil
        }
    }

    /// Words separated by commas or spaces; empty if the key is missing.
    package mutating func list(_ section: String, _ key: String) -> [String] {
        (text(section, key) ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// `yes`, `no`, and the other words of systemd.syntax(7).
    package mutating func flag(_ section: String, _ key: String, _ standard: Bool) -> Bool {
        value(section, key, SettingValue.flag) ?? standard
    }

    /// A time span, s.
    package mutating func span(
        _ section: String, _ key: String, _ standard: Double, in range: ClosedRange<Double>
    ) -> Double {
        value(section, key) { text throws(BadValue) in
            try SettingValue.seconds(text, in: range)
        } ?? standard
    }

    /// One of several words.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ section: String, _ key: String, _ standard: Choice
    ) -> Choice {
        value(section, key) { text throws(BadValue) in
            guard let choice = Choice(rawValue: text) else {
                let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw BadValue(reason: "not one of \(words)")
            }
            return choice
        } ?? standard
    }

    /// The name in `@NAME`, see ``Credentials``; nil if it is missing.
    package mutating func credential(_ section: String, _ key: String) -> String? {
        guard let text = text(section, key) else { return nil }
        do throws(BadValue) { return try Credentials.name(text) } catch {
            refuse(section, key, error.reason)
            return nil
        }
    }

    /// The secret that is named there, see ``Credentials``; nil if none is, or it is not there, which is
    /// a problem.
    package mutating func password(
        _ section: String, _ key: String, _ credentials: Credentials
    ) -> String? {
        guard let name = credential(section, key) else { return nil }
        do throws(BadValue) { return try credentials.text(of: name) } catch {
            refuse(section, key, error.reason)
            return nil
        }
    }

    /// Reports a value that was taken, and turned out to be useless.
    package mutating func refuse(_ section: String, _ key: String, _ reason: String) {
        guard !isUnread else { return }
        found.append(
            SettingsProblem(file: path, line: lines["\(section).\(key)"], key: key, reason: reason))
    }

    /// Reports what is wrong with the file as a whole, or beside it.
    package mutating func refuse(_ reason: String) {
        found.append(SettingsProblem(file: path, reason: reason))
    }

    /// All keys have been taken: what is left over is unknown.
    package mutating func finish() {
        for entry in entries where !entry.section.hasPrefix("X-") && !entry.key.hasPrefix("X-") {
            let isKnown = sections.contains(entry.section)
            if entry.key.isEmpty, isKnown { continue }
            // Reported once, at the section header.
            if !entry.key.isEmpty, !isKnown { continue }
            found.append(
                SettingsProblem(
                    file: path, line: entry.line, key: entry.key.isEmpty ? nil : entry.key,
                    reason: isKnown
                        ? "unknown key in [\(entry.section)]"
                        : "unknown section [\(entry.section)]"))
        }
        entries = []
    }

    private mutating func read(_ bytes: [UInt8]) {
        let ini = INI(bytes)
        entries = ini.entries
        found += ini.faults.map {
            SettingsProblem(file: path, line: $0.line, key: nil, reason: $0.reason)
        }
    }
}
