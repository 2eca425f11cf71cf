/// What the administrator can set, with the built-in defaults: the bracketed numbers of HANDBOOK.
/// What each means, and its range, is in ``SettingsTable`` alone.
///
/// Plain numbers, so that this target does not depend on the engine: times in seconds, lengths in
/// metres, speeds in metres per second.
package struct Settings: Hashable, Sendable {
    /// `[Source]`.
    package var source = Source()
    /// `[Fix]`.
    package var fix = Fix()
    /// `[Crossing]`.
    package var crossing = Crossing()
    /// `[Window]`.
    package var window = Window()
    /// `[Vehicle]`.
    package var vehicle = Vehicle()
    /// `[Hours]`
    package var hours = Hours()
    /// `[Terms]`
    package var terms = Terms()
    /// `[Parking]`
    package var parking = Parking()
    /// `[Beacons]`.
    package var beacons = Beacons()
    /// `[Journal]`.
    package var journal = Journal()
    /// `[Events]`.
    package var events = Events()
    /// `[Store]`.
    package var store = Store()
    /// `[Origins]`.
    package var origins = Origins()
    /// `[Bus]`.
    package var bus = Bus()

    package init() {}

    /// Where positions come from.
    package struct Source: Hashable, Sendable {
        /// `URI`, a source as geofenced.conf(5) names them.
        package var uri = "gpsd://localhost:2947"
    }

    /// Which fixes count: HANDBOOK, section 2.
    package struct Fix: Hashable, Sendable {
        /// `DefaultErrorM`, m.
        package var defaultErrorMetres = 15.0
        /// `MinErrorM`, m.
        package var minErrorMetres = 3.0
        /// `MaxErrorM`, m.
        package var maxErrorMetres = 100.0
        /// `HDOPErrorM`, m for each unit of HDOP.
        package var hdopErrorMetres = 15.0
        /// `HDOPDifferentialErrorM`, m for each unit of HDOP.
        package var hdopDifferentialErrorMetres = 3.75
        /// `ErrorScale`, ``ErrorScale`` as text.
        package var errorScale = "u-blox:2.45"
        /// `StaleWindowSec`, s.
        package var staleWindowSeconds = 60.0
        /// `StaleSec`, s.
        package var staleSeconds = 5.0
        /// `MaxSpeedMPS`, m/s.
        package var maxSpeed = 90.0
        /// `MaxSpeedMarginMPS`, m/s.
        package var maxSpeedMargin = 10.0
        /// m/s².
        package var maxAcceleration = 2.0
        /// `RebaseSec`, s.
        package var rebaseSeconds = 30.0
        /// `RebaseFixes`, fixes.
        package var rebaseFixes = 2
        /// `FrozenSec`, s.
        package var frozenSeconds = 3.0
        /// `FrozenSpeedMPS`, m/s.
        package var frozenSpeed = 2.0
        /// `LostSec`, s.
        package var lostSeconds = 30.0
        /// `DoubtfulSec`, s; 0 for never.
        package var doubtfulSeconds = 1800.0
        /// `MaxJam`, of 255.
        package var maxJam = 127
        /// `ReplayLeapSec`, s.
        package var replayLeapSeconds = 3600.0
    }

    /// Enter and exit: HANDBOOK, section 3.
    package struct Crossing: Hashable, Sendable {
        /// `SettleSec`, s.
        package var settleSeconds = 10.0
        /// `SettleSlackSec`, s.
        package var settleSlackSeconds = 2.0
        /// `BufferMinM`, m.
        package var bufferMinMetres = 30.0
        /// `BufferMaxM`, m.
        package var bufferMaxMetres = 100.0
        /// `MovingSpeedMPS`, m/s.
        package var movingSpeed = 3.0
        /// `MovingSec`, s.
        package var movingSeconds = 10.0
        /// `PathGapSec`, s.
        package var pathGapSeconds = 30.0
        /// `PowerCutProofM`, m.
        package var powerCutProofMetres = 100.0
    }

    /// The regions that are monitored: HANDBOOK, section 4.
    package struct Window: Hashable, Sendable {
        /// Regions.
        package var size = 20
        /// `MetafenceMaxM`, m.
        package var metafenceMaxMetres = 50_000.0
        /// `HeartbeatM`, m.
        package var heartbeatMetres = 500.0
        /// `HeartbeatMinSec`, s.
        package var heartbeatMinSeconds = 60.0
    }

    /// The hours of fences: HANDBOOK, section 11.
    package struct Hours: Hashable, Sendable {
        /// `TimeZone`; empty for the zone of the machine.
        package var timeZone = ""
        /// `PublicHolidays`, days with spaces between them.
        package var publicHolidays = ""
    }

    /// Speed limits and other terms of fences: HANDBOOK, section 11.
    package struct Terms: Hashable, Sendable {
        /// `OverspeedSec`, s.
        package var overspeedSeconds = 5.0
        /// `SpeedErrorMPS`, m/s.
        package var speedError = 0.5
    }

    /// A parked vehicle: HANDBOOK, section 12.
    package struct Parking: Hashable, Sendable {
        /// `TowedM`, m.
        package var towedMetres = 50.0
        /// `TowedHoldSec`, s.
        package var towedHoldSeconds = 120.0
        /// `RestAfterSec`, s; 0 for never.
        package var restAfterSeconds = 600.0
        /// `LookSec`, s.
        package var lookSeconds = 60.0
        /// `IgnitionSignal`, a ``SignalLine``; empty for none.
        package var ignitionSignal = ""
        /// `IgnitionGPIO`, a ``GPIOLine``; empty for none.
        package var ignitionGPIO = ""
        /// `MotionSignal`, a ``SignalLine``; empty for none.
        package var motionSignal = ""

        /// Whether these name other signals or lines than `other`.
        package func listensElsewhere(than other: Parking) -> Bool {
            ignitionSignal != other.ignitionSignal || ignitionGPIO != other.ignitionGPIO
                || motionSignal != other.motionSignal
        }
    }

    /// The radio that receives beacons: HANDBOOK, section 10.
    package struct Beacons: Hashable, Sendable {
        /// `Enabled`: whether it is ever used.
        package var enabled = true
        /// `Adapter`, such as `hci1`; empty for any.
        package var adapter = ""
    }

    /// Journal entries of events.
    package struct Journal: Hashable, Sendable {
        /// `Location`: whether they carry coordinates.
        package var location = false
    }

    /// The event log and what waits for it.
    package struct Events: Hashable, Sendable {
        /// `MaxEvents`, events.
        package var maxEvents = 100_000
        /// `MaxAgeSec`, s.
        package var maxAgeSeconds = 90.0 * 86_400
        /// Bytes.
        package var maxSize = 64 << 20
        /// `QueueMax`, events.
        package var queueMax = 10_000
    }

    /// Writes beside those of events.
    package struct Store: Hashable, Sendable {
        /// `PositionIntervalSec`, s.
        package var positionIntervalSeconds = 60.0
    }

    /// The sets of fences that programs own.
    package struct Origins: Hashable, Sendable {
        /// A number, or a percentage of `[Bus] MaxFences`.
        package var maxFences = "25%"

        /// As a number, where so many fences may be stored in all; at least 1.
        package func fenceLimit(of total: Int) -> Int {
            guard maxFences.hasSuffix("%") else { return Int(maxFences) ?? total }
            let percent = Int(maxFences.dropLast()) ?? 100
            return max(total / 100 * percent + total % 100 * percent / 100, 1)
        }
    }

    /// The D-Bus service and the limits of its callers.
    package struct Bus: Hashable, Sendable {
        /// `system`, `session`, `none` or a D-Bus address.
        package var bus = "system"
        /// `MaxFences`, fences.
        package var maxFences = 2_000_000
        /// `MaxBatch`, fences.
        package var maxBatch = 10_000
        /// Bytes.
        package var maxImportSize = 1 << 30
        /// `MaxSubscriptions`, subscriptions of one caller.
        package var maxSubscriptions = 16
        /// `MaxConsumers`, durable consumers in all.
        package var maxConsumers = 64
    }
}
