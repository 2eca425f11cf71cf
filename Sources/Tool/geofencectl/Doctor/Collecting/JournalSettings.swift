import Settings

/// What journald.conf(5) says of where entries are kept.
struct JournalSettings: Sendable {
    /// `Storage=`
    var storage = "auto"

    private static let table: SettingsTable<JournalSettings> = SettingsTable(
        [
            SettingKey(
                "Journal", "Storage", .text(\.storage, name: "storage") { _ in nil },
                "Where entries are kept.")
        ], isPartial: true, defaults: JournalSettings())

    /// Those of this machine.
    static var present: JournalSettings {
        LoadedSettings.load(table, name: "systemd/journald.conf").settings
    }
}
