/// Every key of geofenced.conf, once, in the order of the shipped file. Reading, the shipped file
/// and the manual page all come from here; the defaults from ``Settings``.
package enum SettingsTable {
    /// All keys, section by section.
    package static let keys: [SettingKey] =
        source + fix + crossing + window + hours + terms + parking + vehicle + beacons + journal
        + events + store
        + origins + bus

    /// Pairs of keys of one section whose values must be in this order.
    static let ordered: [(section: String, lower: String, upper: String)] = [
        ("Fix", "MinErrorM", "MaxErrorM"), ("Crossing", "BufferMinM", "BufferMaxM"),
    ]

    private static let source = [
        SettingKey(
            "Source", "URI", .text(\.source.uri, name: "URI", check: sourceProblem),
            """
            Where positions come from: gpsd://HOST:PORT[/DEVICE], of several receivers the first \
            that has a fix; gpsd:PATH, gpsd on a UNIX socket; nmea:PATH, a tty or fifo; or \
            replay:FILE[?rate=N], a recorded drive.
            """)
    ]

    private static let fix = [
        length(
            "Fix", "DefaultErrorM", \.fix.defaultErrorMetres, 0.1...10_000,
            "The error, as a 95 % radius, of a fix that does not state one."),
        length(
            "Fix", "MinErrorM", \.fix.minErrorMetres, 0.1...1000,
            "A smaller stated error counts as this: receivers are over-confident."),
        length(
            "Fix", "MaxErrorM", \.fix.maxErrorMetres, 1...10_000,
            "A fix with a larger error is refused as inaccurate."),
        length(
            "Fix", "HDOPErrorM", \.fix.hdopErrorMetres, 0.1...1000,
            "The error per unit of HDOP, where a receiver states nothing better."),
        length(
            "Fix", "HDOPDifferentialErrorM", \.fix.hdopDifferentialErrorMetres, 0.1...1000,
            "The same for a differential or RTK fix."),
        SettingKey(
            "Fix", "ErrorScale",
            .text(\.fix.errorScale, name: "drivers", check: scaleProblem),
            """
            By what the errors are multiplied that gpsd states, to make 95 % radii of them: drivers \
            as gpsd names them, such as u-blox:2.45, SiRF:1.5; others are taken as they are.
            """),
        span(
            "Fix", "StaleWindowSec", \.fix.staleWindowSeconds, 1...3600,
            "How long the shortest delay of a fix is remembered, against which StaleSec is measured."
        ),
        span(
            "Fix", "StaleSec", \.fix.staleSeconds, 0.1...3600,
            "A fix that arrives later than the shortest delay by more than this is refused as stale."
        ),
        speed(
            "Fix", "MaxSpeedMPS", \.fix.maxSpeed, 1...3000,
            "A fix that would need a higher speed is held as implausible."),
        speed(
            "Fix", "MaxSpeedMarginMPS", \.fix.maxSpeedMargin, 0...1000,
            "How far the needed speed may exceed the reported one."),
        SettingKey(
            "Fix", "MaxAccelerationMPS2",
            .quantity(.acceleration, \.fix.maxAcceleration, 0...1000),
            "Widens that margin with the time between two fixes."),
        span(
            "Fix", "RebaseSec", \.fix.rebaseSeconds, 1...86_400,
            "A receiver time that leaps ahead of arrival by more than this is held."),
        count(
            "Fix", "RebaseFixes", \.fix.rebaseFixes, 1...10,
            "How many further fixes must agree with a held one before it counts."),
        span(
            "Fix", "FrozenSec", \.fix.frozenSeconds, 0.1...3600,
            "A position that has not changed for this long, at speed, is refused as frozen."),
        speed(
            "Fix", "FrozenSpeedMPS", \.fix.frozenSpeed, 0.1...100,
            "The reported speed above which a position must change."),
        span(
            "Fix", "LostSec", \.fix.lostSeconds, 1...86_400,
            """
            Without an accepted fix for longer than this, the position is lost; without a fix, \
            another of gpsd's receivers takes over.
            """),
        span(
            "Fix", "DoubtfulSec", \.fix.doubtfulSeconds, 0...86_400,
            """
            How long the fixes of a doubtful position must agree among themselves before it is \
            believed; with 0 none is doubted.
            """),
        count(
            "Fix", "MaxJam", \.fix.maxJam, 0...255,
            """
            A receiver is jammed if its indicator of jamming, which newer versions of gpsd pass on, \
            is above this.
            """),
        span(
            "Fix", "ReplayLeapSec", \.fix.replayLeapSeconds, 1...86_400,
            "In a recorded drive, time moves on over a longer gap only with an accepted fix."),
    ]

    private static let crossing = [
        span(
            "Crossing", "SettleSec", \.crossing.settleSeconds, 0...3600,
            "How long all fixes must say the same before an uncertain crossing counts."),
        span(
            "Crossing", "SettleSlackSec", \.crossing.settleSlackSeconds, 0...60,
            "How much longer the timer waits before it decides, when fixes have stopped."),
        length(
            "Crossing", "BufferMinM", \.crossing.bufferMinMetres, 0...10_000,
            "An exit must go at least this far beyond the boundary."),
        length(
            "Crossing", "BufferMaxM", \.crossing.bufferMaxMetres, 0...10_000,
            "The largest such buffer; between the two it is a tenth of the inradius."),
        speed(
            "Crossing", "MovingSpeedMPS", \.crossing.movingSpeed, 0...100,
            "A reported speed above this, twice in a row, proves movement."),
        span(
            "Crossing", "MovingSec", \.crossing.movingSeconds, 0.1...3600,
            "Two fixes at most this far apart in time can prove movement by their distance."),
        span(
            "Crossing", "PathGapSec", \.crossing.pathGapSeconds, 1...3600,
            "Between fixes further apart in time the path is unknown."),
        length(
            "Crossing", "PowerCutProofM", \.crossing.powerCutProofMetres, 0...10_000,
            "How far outside a vehicle is assumed to be, at most, if it was inside before a power cut."
        ),
    ]

    private static let window = [
        count(
            "Window", "Size", \.window.size, 2...1000,
            "How many regions are monitored at once, the metafence included."),
        length(
            "Window", "MetafenceMaxM", \.window.metafenceMaxMetres, 100...100_000,
            "The largest radius of the metafence."),
        length(
            "Window", "HeartbeatM", \.window.heartbeatMetres, 10...100_000,
            "The distance from the last heartbeat after which the next one follows."),
        span(
            "Window", "HeartbeatMinSec", \.window.heartbeatMinSeconds, 0...86_400,
            "The heartbeat re-centres the window no more often than this."),
    ]

    private static let hours = [
        SettingKey(
            "Hours", "TimeZone", .text(\.hours.timeZone, name: "zone", check: zoneProblem),
            """
            The time zone of the hours of fences that name none, such as Europe/Berlin; where it is \
            empty, that of the machine.
            """),
        SettingKey(
            "Hours", "PublicHolidays",
            .text(\.hours.publicHolidays, name: "days", check: holidayProblem),
            """
            The days that PH means in the hours of fences, with spaces between them: for example \
            2026-04-03 12-25, the latter in every year.
            """),
    ]

    private static let terms = [
        span(
            "Terms", "OverspeedSec", \.terms.overspeedSeconds, 0...3600,
            """
            How long a vehicle must be above the speed limit of a fence before it is reported, and \
            how long not any more before that is.
            """),
        speed(
            "Terms", "SpeedErrorMPS", \.terms.speedError, 0...100,
            """
            How far the speed that a receiver reports may be from the true one: only what exceeds a \
            limit by more counts.
            """),
    ]

    private static let parking = [
        length(
            "Parking", "TowedM", \.parking.towedMetres, 10...10_000,
            """
            How far a vehicle whose ignition is off may be found from where it was parked, beside the \
            error of that place, before it is reported as towed.
            """),
        span(
            "Parking", "TowedHoldSec", \.parking.towedHoldSeconds, 0...3600,
            """
            How long it must be found there after a hole in the fixes or a power cut: a receiver that \
            wakes may be wrong at first.
            """),
        span(
            "Parking", "RestAfterSec", \.parking.restAfterSeconds, 0...7 * 86_400,
            """
            How long a vehicle must have been parked with its ignition off before gpsd is left alone, \
            which then lets the receiver sleep; with 0 never. Only with gpsd.
            """),
        span(
            "Parking", "LookSec", \.parking.lookSeconds, 10...86_400,
            "From one look at a sleeping receiver to the next."),
        signal(
            "IgnitionSignal", \.parking.ignitionSignal,
            """
            A signal on the system bus that tells the state of the ignition: sender=, path=, \
            interface= and member=, perhaps argument=, from 0, where its value is; or property= in \
            place of member=. It is on if the value is true or not 0, or, with on=, if it is that \
            text. For example sender=org.example.Can path=/org/example/Can \
            interface=org.example.Can1 property=Ignition.
            """),
        SettingKey(
            "Parking", "IgnitionGPIO",
            .text(\.parking.ignitionGPIO, name: "line", check: lineProblem),
            """
            A GPIO line that is active while the ignition is on: the chip and the number of the \
            line, such as gpiochip0:17, and perhaps :active-low and :debounce=50ms. Not together \
            with IgnitionSignal. The unit forbids all devices, see geofenced(8).
            """),
        signal(
            "MotionSignal", \.parking.motionSignal,
            """
            A signal on the system bus, written alike, that the vehicle has been moved, as of an \
            accelerometer: a sleeping receiver is looked at then, unless the value of the signal is \
            false or 0, or, with on=, another text.
            """),
    ]

    private static let vehicle = [
        unset(
            "HeightM", .length, \.vehicle.dimensions.height, VehicleDimensions.heights,
            """
            The height of the vehicle as it travels, load and trailer included, until another one \
            is set on the bus.
            """),
        unset(
            "WidthM", .length, \.vehicle.dimensions.width, VehicleDimensions.widths,
            "Its width, mirrors included."),
        unset(
            "LengthM", .length, \.vehicle.dimensions.length, VehicleDimensions.lengths,
            "The length of the whole combination."),
        unset(
            "WeightT", .mass, \.vehicle.dimensions.weight, VehicleDimensions.weights,
            "The actual weight of the whole combination."),
        unset(
            "AxleLoadT", .mass, \.vehicle.dimensions.axleLoad, VehicleDimensions.weights,
            "The load of its heaviest axle."),
        SettingKey(
            "Vehicle", "Profiles",
            .text(\.vehicle.profiles, name: "profiles", check: profileProblem),
            """
            Names for what the vehicle is at times, and how it differs then: for example tractor \
            height=3.8m; with-trailer height=4m length=16.5m weight=40t axle=11.5t. At most 16.
            """),
        span(
            "Vehicle", "ConfirmWithinSec", \.vehicle.confirmSeconds, 0...366 * 86_400,
            """
            A height that the driver confirmed longer ago than this is reported as not confirmed; \
            with 0 it need not be confirmed.
            """),
        length(
            "Vehicle", "AssumedHeightM", \.vehicle.assumedHeightMetres,
            VehicleDimensions.heights,
            "The height that is assumed, and said to be, while none is set."),
    ]

    private static let beacons = [
        SettingKey(
            "Beacons", "Enabled", .flag(\.beacons.enabled),
            """
            Whether the radio is used for fences of beacons and for sessions of ranging. Without it \
            only what is said by hand counts.
            """),
        SettingKey(
            "Beacons", "Adapter",
            .text(\.beacons.adapter, name: "adapter", check: adapterProblem),
            """
            The only adapter that may be used, such as hci1; otherwise it is the one of the lowest \
            number that is powered.
            """),
    ]

    private static let journal = [
        SettingKey(
            "Journal", "Location", .flag(\.journal.location),
            "Whether journal entries carry coordinates. Readers of the journal then see the position."
        )
    ]

    private static let events = [
        count(
            "Events", "MaxEvents", \.events.maxEvents, 100...100_000_000,
            "How many events the log keeps."),
        span(
            "Events", "MaxAgeSec", \.events.maxAgeSeconds, 3600...36_500 * 86_400,
            "How long the log keeps an event."),
        SettingKey(
            "Events", "MaxSize", .size(\.events.maxSize, 1 << 20...1 << 40),
            "The largest size of the log; the oldest events are removed, however few and recent."),
        count(
            "Events", "QueueMax", \.events.queueMax, 100...1_000_000,
            "How many events may wait in memory while the disk cannot be written."),
    ]

    private static let store = [
        span(
            "Store", "PositionIntervalSec", \.store.positionIntervalSeconds, 1...86_400,
            "The last position is written to disk no more often than this.")
    ]

    private static let origins = [
        SettingKey(
            "Origins", "MaxFences",
            .text(\.origins.maxFences, name: "number", check: shareProblem),
            "How many fences one named origin may have: a number, or a percentage of [Bus] MaxFences."
        )
    ]

    private static let bus = [
        SettingKey(
            "Bus", "Bus", .text(\.bus.bus, name: "bus", check: busProblem),
            "The bus to serve: system, session, none, or a D-Bus address."),
        count(
            "Bus", "MaxFences", \.bus.maxFences, 1...100_000_000,
            "How many fences all callers together may have stored."),
        count(
            "Bus", "MaxBatch", \.bus.maxBatch, 1...1_000_000,
            "How many fences one ApplyFences call may change."),
        SettingKey(
            "Bus", "MaxImportSize", .size(\.bus.maxImportSize, 1024...1 << 40),
            "How many bytes one ImportFences call may send."),
        count(
            "Bus", "MaxSubscriptions", \.bus.maxSubscriptions, 1...1000,
            "How many subscriptions one caller may hold."),
        count(
            "Bus", "MaxConsumers", \.bus.maxConsumers, 1...10_000,
            "How many durable consumers may be registered."),
    ]

    private static func unset(
        _ name: String, _ quantity: Quantity, _ field: SettingKind.Field<Double?>,
        _ range: ClosedRange<Double>, _ summary: String
    ) -> SettingKey {
        SettingKey("Vehicle", name, .unset(quantity, field, range), summary)
    }

    private static func signal(
        _ name: String, _ field: SettingKind.Field<String>, _ summary: String
    ) -> SettingKey {
        SettingKey("Parking", name, .text(field, name: "signal", check: signalProblem), summary)
    }

    private static func span(
        _ section: String, _ name: String, _ field: SettingKind.Field<Double>,
        _ range: ClosedRange<Double>, _ summary: String
    ) -> SettingKey {
        SettingKey(section, name, .quantity(.timeSpan, field, range), summary)
    }

    private static func length(
        _ section: String, _ name: String, _ field: SettingKind.Field<Double>,
        _ range: ClosedRange<Double>, _ summary: String
    ) -> SettingKey {
        SettingKey(section, name, .quantity(.length, field, range), summary)
    }

    private static func speed(
        _ section: String, _ name: String, _ field: SettingKind.Field<Double>,
        _ range: ClosedRange<Double>, _ summary: String
    ) -> SettingKey {
        SettingKey(section, name, .quantity(.speed, field, range), summary)
    }

    private static func count(
        _ section: String, _ name: String, _ field: SettingKind.Field<Int>,
        _ range: ClosedRange<Int>, _ summary: String
    ) -> SettingKey {
        SettingKey(section, name, .count(field, range), summary)
    }
}
