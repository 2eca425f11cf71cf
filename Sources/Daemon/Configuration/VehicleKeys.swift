import Law
import Model
import Monitoring
import Settings

extension Settings {
    /// `[Vehicle]`.
    static let vehicleKeys: [SettingKey<Settings>] = [
        SettingKey(
            "Vehicle", "Wheels", .flag(\.parking.hearsWheels),
            """
            Whether what geofenced-can(8) tells of the wheels counts: the metres, whether the vehicle \
            stands, and its speed where the receiver has none. Its package says yes.
            """),
        SettingKey(
            "Vehicle", "HeightM",
            .unset(.length, \.monitoring.vehicle.standard.height, range(.height)),
            """
            The height of the vehicle as it travels, load and trailer included, until another one \
            is set on the bus.
            """),
        SettingKey(
            "Vehicle", "WidthM",
            .unset(.length, \.monitoring.vehicle.standard.width, range(.width)),
            "Its width, mirrors included."),
        SettingKey(
            "Vehicle", "LengthM",
            .unset(.length, \.monitoring.vehicle.standard.length, range(.length)),
            "The length of the whole combination."),
        SettingKey(
            "Vehicle", "WeightT",
            .unset(.mass, \.monitoring.vehicle.standard.weight, range(.weight)),
            "The actual weight of the whole combination."),
        SettingKey(
            "Vehicle", "AxleLoadT",
            .unset(.mass, \.monitoring.vehicle.standard.axleLoad, range(.axleLoad)),
            "The load of its heaviest axle."),
        SettingKey(
            "Vehicle", "Profiles",
            .value(
                \.monitoring.vehicle.profiles, name: "profiles", format: VehicleProfiles.text,
                parse: VehicleProfiles.read),
            """
            Names for what the vehicle is at times, and how it differs then: for example tractor \
            height=3.8m; with-trailer height=4m length=16.5m weight=40t axle=11.5t. At most 16.
            """),
        SettingKey(
            "Vehicle", "ConfirmWithinSec",
            .span(\.engine.approach.confirmationLifetime, 0...366 * 86_400),
            """
            A height that the driver confirmed longer ago than this is reported as not confirmed; \
            with 0 it need not be confirmed.
            """),
        SettingKey(
            "Vehicle", "AssumedHeightM",
            .quantity(.length, \.engine.approach.assumedHeight, range(.height)),
            "The height that is assumed, and said to be, while none is set."),
    ]

    private static func range(_ kind: Limits.Kind) -> ClosedRange<Double> {
        Vehicle.range(of: kind)
    }
}
