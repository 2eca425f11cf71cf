/// The keys of a configuration file, section by section, in the order of the shipped file. Reading,
/// the shipped file and the manual page all come from here.
package struct SettingsTable<Root: Sendable>: Sendable {
    /// All keys.
    package let keys: [SettingKey<Root>]
    /// What must be true of several keys together.
    package let rules: [SettingsRule<Root>]
    /// Whether the other sections of the file are for other programs.
    let isPartial: Bool
    /// The built-in defaults.
    package let defaults: Root

    package init(
        _ keys: [SettingKey<Root>], rules: [SettingsRule<Root>] = [], isPartial: Bool = false,
        defaults: Root
    ) {
        self.keys = keys
        self.rules = rules
        self.isPartial = isPartial
        self.defaults = defaults
    }

    /// The key of that name; nil if there is none.
    package func key(_ section: String, _ name: String) -> SettingKey<Root>? {
        keys.first { $0.section == section && $0.name == name }
    }

    /// The built-in default of a key in the notation of the file.
    package func defaultText(of key: SettingKey<Root>) -> String { key.kind.text(defaults) }

    /// `Section.Key` of everything that the two say differently.
    package func differences(_ one: Root, _ other: Root) -> Set<String> {
        Set(
            keys.filter { $0.kind.text(one) != $0.kind.text(other) }
                .map { "\($0.section).\($0.name)" })
    }
}

/// Something that must not be said by several keys of a section together.
package struct SettingsRule<Root>: Sendable {
    let section: String
    /// Those that go back to their defaults.
    let keys: [String]
    /// What is wrong: a phrase.
    let reason: String
    let isBroken: @Sendable (Root) -> Bool

    package init(
        _ section: String, _ keys: [String], _ reason: String,
        isBroken: @escaping @Sendable (Root) -> Bool
    ) {
        self.section = section
        self.keys = keys
        self.reason = reason
        self.isBroken = isBroken
    }

    /// The value of the one key must not exceed that of the other.
    package static func order(
        _ section: String, _ lower: (name: String, field: SettingKind<Root>.Field<Double>),
        _ upper: (name: String, field: SettingKind<Root>.Field<Double>)
    ) -> Self {
        let (least, most) = (lower.field, upper.field)
        return Self(
            section, [lower.name, upper.name],
            "\(lower.name) is above \(upper.name); both defaults stand"
        ) { $0[keyPath: least] > $0[keyPath: most] }
    }
}
