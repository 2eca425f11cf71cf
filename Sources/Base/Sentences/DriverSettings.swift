import Schedules
package import Settings

/// `[Driver]` of geofenced.conf: what the programs beside the daemon need of the driver, each of which
/// reads that section alone.
package struct DriverSettings: Equatable, Sendable {
    /// `Language`; nil: the system's.
    package var language: DriverLanguage?
    /// `Units`.
    package var units = UnitChoice.sign
    /// `TimeZone`, a name of the system's database; empty: that of the screen.
    package var timeZone = ""

    package init() {}

    /// The keys, for a table whose settings have them there.
    package static func keys<Root>(
        language: SettingKind<Root>.Field<DriverLanguage?>,
        units: SettingKind<Root>.Field<UnitChoice>,
        timeZone: SettingKind<Root>.Field<String>
    ) -> [SettingKey<Root>] {
        [
            SettingKey(
                "Driver", "Language",
                .value(
                    language, name: "language", format: { $0?.tag ?? "" }, parse: parseLanguage),
                """
                What geofenced-alert says, and in which voice, and what the pages of geofenced-map \
                show: a code such as de, pt-BR or en-US. Empty: the language of the system, in LC_ALL, LC_MESSAGES or LANG, as \
                /etc/default/locale sets it; English where there are no sentences in that.
                """),
            SettingKey(
                "Driver", "Units",
                .value(units, name: "units", format: \.rawValue, parse: parseUnits),
                """
                sign: those of the sign, where there is none those of the country; metric; imperial, \
                with feet, yards and miles; us, with feet, miles and tons of 2000 lb.
                """),
            SettingKey(
                "Driver", "TimeZone",
                .text(timeZone, name: "zone", check: zoneFlaw),
                """
                Whose clock the pages of geofenced-map show, such as Europe/Berlin, or UTC. Empty: \
                that of the screen.
                """),
        ]
    }

    @Sendable private static func parseLanguage(_ text: String) throws -> DriverLanguage? {
        guard !text.isEmpty else { return nil }
        guard let language = DriverLanguage(text) else {
            let codes = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadValue(reason: "there are no sentences in it; there are some in \(codes)")
        }
        return language
    }

    @Sendable private static func parseUnits(_ text: String) throws -> UnitChoice {
        guard let choice = UnitChoice(rawValue: text) else {
            let words = UnitChoice.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadValue(reason: "not one of \(words)")
        }
        return choice
    }

    @Sendable private static func zoneFlaw(_ name: String) -> String? {
        guard !name.isEmpty else { return nil }
        do throws(ZoneFlaw) { _ = try ZoneFiles().zone(named: name) } catch {
            return error.description
        }
        return nil
    }

    private static let table: SettingsTable<DriverSettings> = SettingsTable(
        keys(language: \.language, units: \.units, timeZone: \.timeZone), isPartial: true,
        defaults: DriverSettings())

    /// Reads that section, see ``LoadedSettings/load(_:name:config:root:)``.
    /// - Parameter config: geofenced.conf, where it lies elsewhere.
    package static func load(
        config: String? = nil, root: String = ""
    ) -> LoadedSettings<DriverSettings> {
        .load(table, name: "geofenced/geofenced.conf", config: config, root: root)
    }
}
