/// The settings from the files, and what was wrong in them.
package struct LoadedSettings<Root: Sendable>: Sendable {
    /// The keys.
    package let table: SettingsTable<Root>
    /// What counts: the defaults, where nothing else was said well.
    package var settings: Root
    /// In the order of reading.
    package internal(set) var problems: [SettingsProblem] = []
    /// The files that were read, in order.
    package internal(set) var files: [String] = []

    /// Where a key was last set, by `Section.Key`.
    private var origins: [String: (file: String, line: Int)] = [:]

    /// Nothing but the defaults.
    package init(_ table: SettingsTable<Root>) {
        self.table = table
        settings = table.defaults
    }

    /// Applies one file; its values replace those of the files before.
    package mutating func apply(_ bytes: [UInt8], file: String) {
        files.append(file)
        let ini = INI(bytes)
        var found = ini.faults.map { fault in
            SettingsProblem(file: file, line: fault.line, key: nil, reason: fault.reason)
        }
        for entry in ini.entries {
            guard let (key, reason) = apply(entry, file: file) else { continue }
            found.append(SettingsProblem(file: file, line: entry.line, key: key, reason: reason))
        }
        problems += found.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    /// Sets one key; returns what is wrong with the entry.
    mutating func apply(_ entry: INI.Entry, file: String) -> (key: String?, reason: String)? {
        // systemd.syntax(7): names that begin with X- are for other programs.
        if entry.section.hasPrefix("X-") || entry.key.hasPrefix("X-") { return nil }
        let isKnown = table.keys.contains { $0.section == entry.section }
        guard !entry.key.isEmpty else {
            let isOurs = isKnown || table.isPartial
            return isOurs ? nil : (nil, "unknown section [\(entry.section)]")
        }
        // Reported once, at the section header.
        guard isKnown else { return nil }
        guard let key = table.key(entry.section, entry.key) else {
            return (entry.key, "unknown key in [\(entry.section)]\(hint(for: entry))")
        }
        if entry.value.isEmpty {
            key.kind.copy(table.defaults, &settings)
        } else {
            do throws(BadValue) {
                try key.kind.assign(entry.value, to: &settings)
            } catch {
                return (key.name, SettingsProblem.reason(error, for: entry.value))
            }
        }
        origins["\(key.section).\(key.name)"] = (file, entry.line)
        return nil
    }

    /// The similar name that was probably meant.
    private func hint(for entry: INI.Entry) -> String {
        let meant = table.keys.filter { $0.name.lowercased() == entry.key.lowercased() }
        guard let key = meant.first(where: { $0.section == entry.section }) ?? meant.first else {
            return ""
        }
        return "; there is \(key.name) in [\(key.section)]"
    }

    /// The settings that take the place of the present ones, which break no rule: a key that is wrong
    /// keeps its present value.
    package func settings(keeping present: Root) -> Root {
        var settings = settings
        let wrong = Set(problems.compactMap(\.key))
        for key in table.keys where wrong.contains(key.name) { key.kind.copy(present, &settings) }
        // With others, which may not be wrong, that value may be.
        for rule in table.rules where rule.isBroken(settings) {
            for name in rule.keys { table.key(rule.section, name)?.kind.copy(present, &settings) }
        }
        return table.rules.contains { $0.isBroken(settings) } ? present : settings
    }

    /// Where keys contradict each other, they go back to their defaults.
    package mutating func checkRules() {
        for rule in table.rules where rule.isBroken(settings) {
            let keys = rule.keys.compactMap { table.key(rule.section, $0) }
            for key in keys {
                guard let origin = origins["\(key.section).\(key.name)"] else { continue }
                problems.append(
                    SettingsProblem(
                        file: origin.file, line: origin.line, key: key.name,
                        reason: "\(key.kind.text(settings)): \(rule.reason)"))
            }
            for key in keys { key.kind.copy(table.defaults, &settings) }
        }
    }
}
