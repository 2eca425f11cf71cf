package import Schedules
package import Settings
package import Time

/// `[Say]` of geofenced.conf: which events geofenced-alert says, besides hazards.
package struct SaySettings: Equatable, Sendable {
    /// `Kinds`, of fences that do not say it themselves.
    package var kinds = SayList.usual
    /// `QuietHours`, in the grammar of opening_hours; empty for none.
    package var quietHours = ""
    /// `Unwatched`: whether the driver is told that nothing watches.
    package var unwatched = true
    /// `UnwatchedSec`: after how long without a position, though the vehicle moves.
    package var unwatchedAfter = TimeSpan.seconds(300)

    package init() {}

    /// The keys, for a table whose settings have them there.
    package static func keys<Root>(
        kinds: SettingKind<Root>.Field<SayList>, quietHours: SettingKind<Root>.Field<String>,
        unwatched: SettingKind<Root>.Field<Bool>,
        unwatchedAfter: SettingKind<Root>.Field<TimeSpan>
    ) -> [SettingKey<Root>] {
        [
            SettingKey(
                "Say", "Kinds",
                .value(kinds, name: "kinds", format: \.text, parse: parse),
                """
                Which events of fences without the property say geofenced-alert says: none, or some of \
                \(SayList.all.joined(separator: ", ")), with spaces between them. Hazards, a towed \
                vehicle and lost fences are always said.
                """),
            SettingKey(
                "Say", "QuietHours",
                .text(quietHours, name: "hours", check: hourFlaw),
                """
                When these are shown and not said, such as 22:00-06:00 or Sa-Su 00:00-24:00, as the \
                hours of a fence are written, by the clock of [Driver] TimeZone, without that of the \
                machine. Hazards, a towed vehicle and that nothing watches are said at all hours.
                """),
            SettingKey(
                "Say", "Unwatched", .flag(unwatched),
                """
                Whether geofenced-alert says, where hazards are known and the ignition is not off, that                 nothing watches for them any more, and when it does again: the daemon has failed, the                 catalogue cannot be read, the receiver is gone, or no position comes.
                """),
            SettingKey(
                "Say", "UnwatchedSec", .span(unwatchedAfter, 60...900),
                """
                How long no position has to come, although the vehicle moved, before that is said. It                 is to be longer than the longest tunnel takes: 15 minutes are 20 km at 80 km/h.
                """),
        ]
    }

    @Sendable private static func parse(_ text: String) throws -> SayList {
        do throws(SayFlaw) { return try SayList(text) } catch {
            throw BadValue(reason: error.description)
        }
    }

    @Sendable private static func hourFlaw(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(ScheduleFlaw) { _ = try Schedule(text) } catch { return error.description }
        return nil
    }

    private static let table: SettingsTable<SaySettings> = SettingsTable(
        keys(
            kinds: \.kinds, quietHours: \.quietHours, unwatched: \.unwatched,
            unwatchedAfter: \.unwatchedAfter),
        isPartial: true, defaults: SaySettings())

    /// Reads that section, see ``LoadedSettings/load(_:name:config:root:)``.
    /// - Parameter config: geofenced.conf, where it lies elsewhere.
    package static func load(
        config: String? = nil, root: String = ""
    ) -> LoadedSettings<SaySettings> {
        .load(table, name: "geofenced/geofenced.conf", config: config, root: root)
    }

    /// The quiet hours; nil for none.
    /// - Parameter timeZone: `[Driver] TimeZone`; empty for that of the machine.
    package func quiet(timeZone: String) -> OpeningHours? {
        guard !quietHours.isEmpty, let schedule = try? Schedule(quietHours) else { return nil }
        let files = ZoneFiles()
        let zone = timeZone.isEmpty ? nil : try? files.zone(named: timeZone)
        return OpeningHours(schedule, in: zone ?? (try? files.local()) ?? .utc)
    }
}
