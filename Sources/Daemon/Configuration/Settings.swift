package import BusService
package import FixSources
package import Law
import Model
package import Monitoring
import Program
package import Schedules
package import Sentences
package import Settings
package import Storage
package import Time
package import VehicleInputs

/// What the administrator can set: the settings of the components, which have the defaults, and what
/// belongs to none of them. What each key means, and its range, is in ``table`` alone.
package struct Settings: Sendable {
    /// `[Source]` `URI`, a source as geofenced.conf(5) names them.
    package var source = "gpsd://localhost:2947"
    /// Of `[Fix]`, what is about receivers; ``forSource`` is complete.
    package var receiver = ReceiverSettings()
    /// The law, the vehicle and the limits of memory; ``forMonitoring(arrivalIsDerived:)`` is complete.
    package var monitoring = MonitoringSettings()
    /// `[Hours]`.
    package var hours = Hours()
    /// `[Parking]` beside the law.
    package var parking = Parking()
    /// `[Beacons]`.
    package var beacons = Beacons()
    /// `[Journal]` `Location`: whether entries of events carry coordinates.
    package var journalHasLocation = false
    /// `[Journal]` `Driver`: whether they say who drove.
    package var journalHasDriver = false
    /// What journald keeps unsynced, a power cut takes back.
    package var journalSyncTime = TimeSpan.seconds(300)
    /// `[Events]`: how much of the log is kept.
    package var retention = Retention()
    /// `Signal`, `File` and `Beacons` of `[Driver]`.
    package var driverSources = DriverSources()
    /// The other keys of `[Driver]`, which the daemon only checks.
    package var driver = DriverSettings()
    /// `[Say]`, likewise.
    package var say = SaySettings()
    /// `[Bus]` `Bus`: `system`, `session`, `none` or a D-Bus address.
    package var servedBus = "system"
    /// The limits of `[Bus]`.
    package var bus = BusServiceSettings(version: Version.current)

    package init() {}

    /// The law as the keys set it; ``law(arrivalIsDerived:)`` is complete.
    var engine: EngineSettings {
        get { monitoring.engine }
        set { monitoring.engine = newValue }
    }

    /// The hours of fences that name no zone: HANDBOOK, section 11.
    package struct Hours: Sendable {
        /// `TimeZone`; empty for the zone of the machine.
        package var timeZone = ""
        /// `PublicHolidays`, days with spaces between them.
        package var publicHolidays = ""
    }

    /// A parked vehicle: HANDBOOK, section 12.
    package struct Parking: Sendable {
        /// `RestAfterSec`; zero for never.
        package var restAfter = TimeSpan.seconds(600)
        /// `LookSec`.
        package var lookEvery = TimeSpan.seconds(60)
        /// `IgnitionSignal`; nil for none.
        package var ignitionSignal: SignalLine?
        /// `IgnitionGPIO`; nil for none.
        package var ignitionLine: GPIOLine?
        /// `MotionSignal`; nil for none.
        package var motionSignal: SignalLine?
        /// `Vehicle.Wheels`: whether geofenced-can is believed.
        package var hearsWheels = false
    }

    /// The radio that receives beacons: HANDBOOK, section 10.
    package struct Beacons: Sendable {
        /// `Enabled`: whether it is ever used.
        package var enabled = true
        /// `Adapter`, such as `hci1`; empty for any.
        package var adapter = ""
    }

    /// Reads geofenced.conf, see ``LoadedSettings/load(_:name:config:root:)``.
    package static func load(
        config: String? = nil, root: String = ""
    ) -> LoadedSettings<Settings> {
        .load(table, name: "geofenced/geofenced.conf", config: config, root: root)
    }
}

extension Settings: Equatable {
    /// Every key says the same.
    package static func == (one: Settings, other: Settings) -> Bool {
        table.differences(one, other).isEmpty
    }

    /// etc/geofenced/geofenced.conf: all comments, each key with its default.
    package static var shippedFile: String {
        table.shippedFile(
            """
            # The configuration of geofenced, see geofenced.conf(5).
            #
            # The lines below show the built-in defaults. To change one, write it without the # under
            # its [Section] in a separate file, /etc/geofenced/geofenced.conf.d/NAME.conf, so that an
            # update of the package can replace this file. Those files are read in the order of their
            # names; the last one that sets a key wins, and an empty value restores the default.
            # Check with: geofenced --check

            """)
    }
}

// MARK: - For the components

extension Settings {
    /// How what receivers say is read.
    package var forSource: ReceiverSettings {
        var settings = receiver
        settings.lostAfter = monitoring.engine.gates.lostAfter
        return settings
    }

    /// With what follows from several keys.
    /// - Parameter arrivalIsDerived: from the times of the fixes, as in a replay.
    package func forMonitoring(arrivalIsDerived: Bool) -> MonitoringSettings {
        var settings = monitoring
        if settings.vehicle.standard.height != nil {
            settings.vehicle.standard.setBy = "settings"
        }
        let lifetime = settings.engine.approach.confirmationLifetime
        settings.vehicle.needsConfirmation = lifetime > .zero
        if lifetime == .zero {
            settings.engine.approach.confirmationLifetime = TimeSpan(nanoseconds: .max)
        }
        settings.engine.vehicle = settings.vehicle.standard
        settings.engine.gates.arrivalIsDerived = arrivalIsDerived
        // The largest bound that a proof can leave is the error of the worst accepted fix.
        settings.engine.crossing.unknownProofBound = max(
            settings.engine.crossing.unknownProofBound, settings.engine.gates.errorLimit)
        return settings
    }

    /// The law, for a program that runs it without the daemon; as for monitoring.
    package func law(arrivalIsDerived: Bool) -> EngineSettings {
        forMonitoring(arrivalIsDerived: arrivalIsDerived).engine
    }

    /// Bytes of a file of fences.
    package var importLimit: Int { Int(clamping: bus.importLimit) }

    /// The time zone and the public holidays, which have been checked.
    package var hourBook: HourBook {
        let files = ZoneFiles()
        let zone = hours.timeZone.isEmpty ? nil : try? files.zone(named: hours.timeZone)
        return HourBook(
            files, zone: zone, holidays: (try? Holidays(hours.publicHolidays)) ?? Holidays())
    }
}
