import BusService
import FixSources
import Law
import Model
import Monitoring
import Sentences
package import Settings
import Storage
import Time
import VehicleInputs

extension Settings {
    /// Every key of geofenced.conf, once, in the order of the shipped file.
    package static let table = SettingsTable(
        [
            sourceKeys, fix, crossing, window, hourKeys, terms, parkingKeys, tripKeys, vehicleKeys,
            routeKeys, beaconKeys, journal, events, store, origins, busKeys, driverKeys, say,
        ].flatMap { $0 },
        rules: [
            .order(
                "Fix", ("MinErrorM", \.engine.gates.errorFloor),
                ("MaxErrorM", \.engine.gates.errorLimit)),
            .order(
                "Crossing", ("BufferMinM", \.engine.crossing.bufferFloor),
                ("BufferMaxM", \.engine.crossing.bufferLimit)),
            SettingsRule("Parking", ["IgnitionGPIO"], "IgnitionSignal= is set too") {
                $0.parking.ignitionSignal != nil && $0.parking.ignitionLine != nil
            },
            SettingsRule("Trips", ["EverySec"], "Record= is not set") {
                $0.engine.trips.every > .zero && !$0.engine.trips.areRecorded
            },
        ], defaults: Settings())

    private typealias Key = SettingKey<Settings>

    private static let sourceKeys = [
        Key(
            "Source", "URI", .text(\.source, name: "URI", check: sourceProblem),
            """
            Where positions come from: gpsd://HOST:PORT[/DEVICE], of several receivers the first \
            that has a fix; gpsd:PATH, gpsd on a UNIX socket; nmea:PATH, a tty or fifo; or \
            replay:FILE[?rate=N], a recorded drive.
            """)
    ]

    private static let fix = [
        Key(
            "Fix", "DefaultErrorM", .quantity(.length, \.engine.gates.defaultError, 0.1...10_000),
            "The error, as a 95 % radius, of a fix that does not state one."),
        Key(
            "Fix", "MinErrorM", .quantity(.length, \.engine.gates.errorFloor, 0.1...1000),
            "A smaller stated error counts as this: receivers are over-confident."),
        Key(
            "Fix", "MaxErrorM", .quantity(.length, \.engine.gates.errorLimit, 1...10_000),
            "A fix with a larger error is refused as inaccurate."),
        Key(
            "Fix", "HDOPErrorM", .quantity(.length, \.receiver.errorPerDilution, 0.1...1000),
            "The error per unit of HDOP, where a receiver states nothing better."),
        Key(
            "Fix", "HDOPDifferentialErrorM",
            .quantity(.length, \.receiver.errorPerDilutionCorrected, 0.1...1000),
            "The same for a differential or RTK fix."),
        Key(
            "Fix", "ErrorScale",
            .value(
                \.receiver.errorScale, name: "drivers", format: ErrorScale.text,
                parse: ErrorScale.read),
            """
            By what the errors are multiplied that gpsd states, to make 95 % radii of them: drivers \
            as gpsd names them, such as u-blox:2.45, SiRF:1.5; others are taken as they are.
            """),
        Key(
            "Fix", "StaleWindowSec", .span(\.engine.gates.staleWindow, 1...3600),
            "How long the shortest delay of a fix is remembered, against which StaleSec is measured."
        ),
        Key(
            "Fix", "StaleSec", .span(\.engine.gates.staleLimit, 0.1...3600),
            "A fix that arrives later than the shortest delay by more than this is refused as stale."
        ),
        Key(
            "Fix", "MaxSpeedMPS", .quantity(.speed, \.engine.gates.speedLimit, 1...3000),
            "A fix that would need a higher speed is held as implausible."),
        Key(
            "Fix", "MaxSpeedMarginMPS", .quantity(.speed, \.engine.gates.speedMargin, 0...1000),
            "How far the needed speed may exceed the reported one."),
        Key(
            "Fix", "MaxAccelerationMPS2",
            .quantity(.acceleration, \.engine.gates.acceleration, 0...1000),
            "Widens that margin with the time between two fixes."),
        Key(
            "Fix", "RebaseSec", .span(\.engine.gates.rebaseLimit, 1...86_400),
            "A receiver time that leaps ahead of arrival by more than this is held."),
        Key(
            "Fix", "RebaseFixes", .count(\.engine.gates.rebaseFixes, 1...10),
            "How many further fixes must agree with a held one before it counts."),
        Key(
            "Fix", "FrozenSec", .span(\.engine.gates.frozenAfter, 0.1...3600),
            "A position that has not changed for this long, at speed, is refused as frozen."),
        Key(
            "Fix", "FrozenSpeedMPS", .quantity(.speed, \.engine.gates.frozenSpeed, 0.1...100),
            "The reported speed above which a position must change."),
        Key(
            "Fix", "LostSec", .span(\.engine.gates.lostAfter, 1...86_400),
            """
            Without an accepted fix for longer than this, or than two and a half times as long as \
            the source takes from one to the next (at most 120 seconds), the position is lost; \
            without a fix for longer than this, another of gpsd's receivers takes over.
            """),
        Key(
            "Fix", "DoubtfulSec", .span(\.engine.gates.doubtfulFor, 0...86_400),
            """
            How long the fixes of a doubtful position must agree among themselves before it is \
            believed; with 0 none is doubted.
            """),
        Key(
            "Fix", "MaxJam", .count(\.engine.gates.jamLimit, 0...255),
            """
            A receiver is jammed if its indicator of jamming, which newer versions of gpsd pass on, \
            is above this.
            """),
        Key(
            "Fix", "ReplayLeapSec", .span(\.engine.gates.replayLeap, 1...86_400),
            "In a recorded drive, time moves on over a longer gap only with an accepted fix."),
    ]

    private static let crossing = [
        Key(
            "Crossing", "SettleSec", .span(\.engine.crossing.settle, 0...3600),
            "How long all fixes must say the same before an uncertain crossing counts."),
        Key(
            "Crossing", "SettleSlackSec", .span(\.engine.crossing.settleSlack, 0...60),
            "How much longer the timer waits before it decides, when fixes have stopped."),
        Key(
            "Crossing", "BufferMinM", .quantity(.length, \.engine.crossing.bufferFloor, 0...10_000),
            "An exit must go at least this far beyond the boundary."),
        Key(
            "Crossing", "BufferMaxM", .quantity(.length, \.engine.crossing.bufferLimit, 0...10_000),
            "The largest such buffer; between the two it is a tenth of the inradius."),
        Key(
            "Crossing", "MovingSpeedMPS", .quantity(.speed, \.engine.way.movingSpeed, 0...100),
            "A reported speed above this, twice in a row, proves movement."),
        Key(
            "Crossing", "MovingSec", .span(\.engine.way.movingWindow, 0.1...3600),
            "Two fixes at most this far apart in time can prove movement by their distance."),
        Key(
            "Crossing", "PathGapSec", .span(\.engine.way.pathGap, 1...3600),
            """
            Between fixes further apart in time, and further than two and a half times as long as \
            the source takes from one to the next (at most 120 seconds), the path is unknown.
            """),
        Key(
            "Crossing", "PowerCutProofM",
            .quantity(.length, \.engine.crossing.unknownProofBound, 0...10_000),
            "How far outside a vehicle is assumed to be, at most, if it was inside before a power cut."
        ),
    ]

    private static let window = [
        Key(
            "Window", "Size", .count(\.engine.window.size, 2...1000),
            "How many regions are monitored at once, the metafence included."),
        Key(
            "Window", "MetafenceMaxM",
            .quantity(.length, \.engine.window.metafenceLimit, 100...100_000),
            "The largest radius of the metafence."),
        Key(
            "Window", "HeartbeatM", .quantity(.length, \.engine.window.heartbeat, 10...100_000),
            "The distance from the last heartbeat after which the next one follows."),
        Key(
            "Window", "HeartbeatMinSec", .span(\.engine.window.heartbeatThrottle, 0...86_400),
            "The heartbeat re-centres the window no more often than this."),
    ]

    private static let hourKeys = [
        Key(
            "Hours", "TimeZone", .text(\.hours.timeZone, name: "zone", check: zoneProblem),
            """
            The time zone of the hours of fences that name none, such as Europe/Berlin; where it is \
            empty, that of the machine.
            """),
        Key(
            "Hours", "PublicHolidays",
            .text(\.hours.publicHolidays, name: "days", check: holidayProblem),
            """
            The days that PH means in the hours of fences, with spaces between them: for example \
            2026-04-03 12-25, the latter in every year.
            """),
    ]

    private static let terms = [
        Key(
            "Terms", "OverspeedSec", .span(\.engine.crossing.terms.overspeedHold, 0...3600),
            """
            How long a vehicle must be above the speed limit of a fence before it is reported, and \
            how long not any more before that is.
            """),
        Key(
            "Terms", "SpeedErrorMPS",
            .quantity(.speed, \.engine.crossing.terms.speedError, 0...100),
            """
            How far the speed that a receiver reports may be from the true one: only what exceeds a \
            limit by more counts.
            """),
    ]

    private static let parkingKeys = [
        Key(
            "Parking", "TowedM", .quantity(.length, \.engine.parking.radius, 10...10_000),
            """
            How far a vehicle whose ignition is off may be found from where it was parked, beside the \
            error of that place, before it is reported as towed.
            """),
        Key(
            "Parking", "TowedHoldSec", .span(\.engine.parking.hold, 0...3600),
            """
            How long it must be found there after a hole in the fixes or a power cut: a receiver that \
            wakes may be wrong at first.
            """),
        Key(
            "Parking", "RestAfterSec", .span(\.parking.restAfter, 0...7 * 86_400),
            """
            How long a vehicle must have been parked with its ignition off before gpsd is left alone, \
            which then lets the receiver sleep; with 0 never. Only with gpsd.
            """),
        Key(
            "Parking", "LookSec", .span(\.parking.lookEvery, 10...86_400),
            "From one look at a sleeping receiver to the next."),
        Key(
            "Parking", "IgnitionSignal", signal(\.parking.ignitionSignal),
            """
            A signal on the system bus that tells the state of the ignition: sender=, path=, \
            interface= and member=, perhaps argument=, from 0, where its value is; or property= in \
            place of member=. It is on if the value is true or not 0, or, with on=, if it is that \
            text. For example sender=org.example.Can path=/org/example/Can \
            interface=org.example.Can1 property=Ignition.
            """),
        Key(
            "Parking", "IgnitionGPIO",
            .value(\.parking.ignitionLine, name: "line", format: { $0?.description ?? "" }) {
                $0.isEmpty ? nil : try GPIOLine($0)
            },
            """
            A GPIO line that is active while the ignition is on: the chip and the number of the \
            line, such as gpiochip0:17, and perhaps :active-low and :debounce=50ms. Not together \
            with IgnitionSignal. The unit forbids all devices, see geofenced(8).
            """),
        Key(
            "Parking", "MotionSignal", signal(\.parking.motionSignal),
            """
            A signal on the system bus, written alike, that the vehicle has been moved, as of an \
            accelerometer: a sleeping receiver is looked at then, unless the value of the signal is \
            false or 0, or, with on=, another text.
            """),
    ]

    private static let beaconKeys = [
        Key(
            "Beacons", "Enabled", .flag(\.beacons.enabled),
            """
            Whether the radio is used for fences of beacons and for sessions of ranging. Without it \
            only what is said by hand counts.
            """),
        Key(
            "Beacons", "Adapter",
            .text(\.beacons.adapter, name: "adapter", check: adapterProblem),
            """
            The only adapter that may be used, such as hci1; otherwise it is the one of the lowest \
            number that is powered.
            """),
    ]

    private static let journal = [
        Key(
            "Journal", "Location", .flag(\.journalHasLocation),
            "Whether journal entries carry coordinates. Readers of the journal then see the position."
        ),
        Key(
            "Journal", "Driver", .flag(\.journalHasDriver),
            """
            Whether journal entries carry who drove. Readers of the journal then see it, and forgetting \
            a driver does not delete it there.
            """),
        Key(
            "Journal", "SyncIntervalSec", .span(\.journalSyncTime, 0...86_400),
            """
            The same as in journald.conf(5). After a power cut, events of that time come again in the \
            journal, which may have lost them.
            """),
    ]

    private static let events = [
        Key(
            "Events", "MaxEvents", .count(\.retention.count, 100...100_000_000),
            "How many events the log keeps."),
        Key(
            "Events", "MaxAgeSec", .span(\.retention.age, 3600...36_500 * 86_400),
            "How long the log keeps an event."),
        Key(
            "Events", "MaxSize", .size(\.retention.size, 1 << 20...1 << 40),
            "The largest size of the log; the oldest events are removed, however few and recent."),
        Key(
            "Events", "QueueMax", .count(\.monitoring.queueLimit, 100...1_000_000),
            "How many events may wait in memory while the disk cannot be written."),
    ]

    private static let store = [
        Key(
            "Store", "PositionIntervalSec", .span(\.monitoring.positionInterval, 1...86_400),
            "The last position is written to disk no more often than this.")
    ]

    private static let origins = [
        Key(
            "Origins", "MaxFences",
            .value(\.monitoring.originShare, name: "number", format: { "\($0)" }) {
                try FenceShare($0)
            },
            "How many fences one named origin may have: a number, or a percentage of [Bus] MaxFences."
        )
    ]

    private static let busKeys = [
        Key(
            "Bus", "Bus", .text(\.servedBus, name: "bus", check: busProblem),
            "The bus to serve: system, session, none, or a D-Bus address."),
        Key(
            "Bus", "MaxFences", .count(\.monitoring.fenceLimit, 1...100_000_000),
            "How many fences all callers together may have stored."),
        Key(
            "Bus", "MaxBatch", .count(\.bus.batchLimit, 1...1_000_000),
            "How many fences one ApplyFences call may change."),
        Key(
            "Bus", "MaxImportSize", .size(\.bus.importLimit, 1024...1 << 40),
            "How many bytes one ImportFences call may send."),
        Key(
            "Bus", "MaxSubscriptions", .count(\.bus.subscriptionLimit, 1...1000),
            "How many subscriptions one caller may hold."),
        Key(
            "Bus", "MaxConsumers", .count(\.bus.consumerLimit, 1...10_000),
            "How many durable consumers may be registered."),
    ]

    private static let say: [Key] = SaySettings.keys(
        kinds: \.say.kinds, quietHours: \.say.quietHours, unwatched: \.say.unwatched,
        unwatchedAfter: \.say.unwatchedAfter)

    static func signal(
        _ field: SettingKind<Settings>.Field<SignalLine?>
    ) -> SettingKind<Settings> {
        .value(field, name: "signal", format: { $0?.description ?? "" }) {
            $0.isEmpty ? nil : try SignalLine($0)
        }
    }
}
