import Law
import Model
import Settings
import Time

extension Settings {
    /// Trips: HANDBOOK, section 15.
    static let tripKeys: [SettingKey<Settings>] = [
        SettingKey(
            "Trips", "Record", .flag(\.engine.trips.areRecorded),
            """
            Whether each trip becomes an event when it ends: when and where it began and ended, how \
            far it was, and how often the vehicle stopped.
            """),
        SettingKey(
            "Trips", "StandSec", .span(\.engine.trips.stand, 30...86_400),
            """
            A vehicle that has stood for this long has ended its trip where it stood; so has one \
            whose ignition was never set and that has had no fix for this long.
            """),
        SettingKey(
            "Trips", "EverySec", .span(\.engine.trips.every, 0...86_400),
            """
            How often the position of a vehicle that moves in a trip is recorded in the log, such as \
            10min for a record of taxes; with 0 never. It is a track of the vehicle, and of who drives.
            """),
    ]
}
