/// Something in the configuration that was ignored.
package struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Path of the configuration file.
    package var file: String
    /// From 1; nil when the file as a whole could not be read.
    package var line: Int?
    /// The key concerned, if it is one.
    package var key: String?
    /// A phrase without a full stop.
    package var reason: String

    package init(file: String, line: Int? = nil, key: String? = nil, reason: String) {
        self.file = file
        self.line = line
        self.key = key
        self.reason = reason
    }

    /// `FILE:LINE: KEY: REASON`
    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return [place, key.map(Self.shown), Self.shown(reason)].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// What a file says is shown in part, and without what a terminal interprets.
    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard shown.count < 1_000 else { return String(shown) + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}

/// The settings from the files, and what was wrong in them.
package struct LoadedSettings: Sendable {
    /// What counts: the defaults, where nothing else was said well.
    package var settings = Settings()
    /// Nothing but the defaults.
    package init() {}

    /// In the order of reading.
    package internal(set) var problems: [SettingsProblem] = []
    /// The files that were read, in order.
    package internal(set) var files: [String] = []

    /// Where a key was last set, by `Section.Key`.
    private var origins: [String: (file: String, line: Int)] = [:]

    /// Applies one file; its values replace those of the files before.
    mutating func apply(_ bytes: [UInt8], file: String) {
        files.append(file)
        let ini = INI(bytes)
        var found = ini.faults.map { fault in
            SettingsProblem(file: file, line: fault.line, key: nil, reason: fault.reason)
        }
        for entry in ini.entries {
            guard let (key, reason) = take(entry, file: file) else { continue }
            found.append(SettingsProblem(file: file, line: entry.line, key: key, reason: reason))
        }
        problems += found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    /// Sets one key; returns what is wrong with the entry.
    mutating func take(_ entry: INI.Entry, file: String) -> (key: String?, reason: String)? {
        // systemd.syntax(7): names that begin with X- are for other programs.
        if entry.section.hasPrefix("X-") || entry.key.hasPrefix("X-") { return nil }
        let isKnown = SettingsTable.keys.contains { $0.section == entry.section }
        guard !entry.key.isEmpty else {
            return isKnown ? nil : (nil, "unknown section [\(entry.section)]")
        }
        // Reported once, at the section header.
        guard isKnown else { return nil }
        guard
            let key = SettingsTable.keys.first(where: {
                $0.section == entry.section && $0.name == entry.key
            })
        else { return (entry.key, "unknown key in [\(entry.section)]\(hint(for: entry))") }
        if entry.value.isEmpty {
            key.kind.copy(from: Settings(), to: &settings)
        } else {
            do throws(BadValue) {
                try key.kind.assign(entry.value, to: &settings)
            } catch {
                return (key.name, "\(entry.value): \(error.reason)")
            }
        }
        origins["\(key.section).\(key.name)"] = (file, entry.line)
        return nil
    }

    /// For an error that is found only when the value is used: reports the line that set it, and
    /// goes back to the default.
    package mutating func refuse(_ name: String, of section: String, reason: String) {
        let table = SettingsTable.keys
        guard let key = table.first(where: { $0.section == section && $0.name == name }),
            let origin = origins.removeValue(forKey: "\(section).\(name)")
        else { return }
        problems.append(
            SettingsProblem(
                file: origin.file, line: origin.line, key: name,
                reason: "\(key.kind.text(in: settings)): \(reason)"))
        key.kind.copy(from: Settings(), to: &settings)
    }

    /// The similar name that was probably meant.
    private func hint(for entry: INI.Entry) -> String {
        let meant = SettingsTable.keys.filter { $0.name.lowercased() == entry.key.lowercased() }
        guard let key = meant.first(where: { $0.section == entry.section }) ?? meant.first else {
            return ""
        }
        return "; there is \(key.name) in [\(key.section)]"
    }

    /// Where two keys contradict each other, both go back to their defaults.
    mutating func checkOrder() {
        for pair in SettingsTable.ordered {
            let keys = [pair.lower, pair.upper].compactMap { name in
                SettingsTable.keys.first { $0.section == pair.section && $0.name == name }
            }
            guard keys.count == 2, case .quantity(_, let lower, _) = keys[0].kind,
                case .quantity(_, let upper, _) = keys[1].kind,
                settings[keyPath: lower] > settings[keyPath: upper]
            else { continue }
            for key in keys {
                guard let origin = origins["\(key.section).\(key.name)"] else { continue }
                problems.append(
                    SettingsProblem(
                        file: origin.file, line: origin.line, key: key.name,
                        reason: "\(key.kind.text(in: settings)): "
                            + "\(pair.lower) is above \(pair.upper); both defaults stand"))
            }
            for key in keys { key.kind.copy(from: Settings(), to: &settings) }
        }
    }
}
