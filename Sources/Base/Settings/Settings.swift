/// What the administrator can set, with the built-in defaults. The bracketed numbers of the law of
/// the engine are here; what each means, and its range, is said once, in ``SettingsTable``.
///
/// Plain values, so that this target knows nothing of the engine: times are seconds, lengths metres,
/// speeds metres per second.
package struct Settings: Hashable, Sendable {
    package var source = Source()
    package var fix = Fix()
    package var crossing = Crossing()
    package var window = Window()
    package var journal = Journal()
    package var events = Events()
    package var store = Store()
    package var origins = Origins()
    package var bus = Bus()

    package init() {}

    package struct Source: Hashable, Sendable {
        package var uri = "gpsd://localhost:2947"
    }

    package struct Fix: Hashable, Sendable {
        package var defaultErrorMetres = 15.0
        package var minErrorMetres = 3.0
        package var maxErrorMetres = 100.0
        package var hdopErrorMetres = 15.0
        package var hdopDifferentialErrorMetres = 3.75
        package var staleWindowSeconds = 60.0
        package var staleSeconds = 5.0
        package var maxSpeed = 90.0
        package var maxSpeedMargin = 10.0
        /// m/s².
        package var maxAcceleration = 2.0
        package var rebaseSeconds = 30.0
        package var rebaseFixes = 2
        package var frozenSeconds = 3.0
        package var frozenSpeed = 2.0
        package var lostSeconds = 30.0
        package var replayLeapSeconds = 3600.0
    }

    package struct Crossing: Hashable, Sendable {
        package var settleSeconds = 10.0
        package var settleSlackSeconds = 2.0
        package var bufferMinMetres = 30.0
        package var bufferMaxMetres = 100.0
        package var movingSpeed = 3.0
        package var movingSeconds = 10.0
        package var pathGapSeconds = 30.0
        package var powerCutProofMetres = 100.0
    }

    package struct Window: Hashable, Sendable {
        /// Regions.
        package var size = 20
        package var metafenceMaxMetres = 50_000.0
        package var heartbeatMetres = 500.0
        package var heartbeatMinSeconds = 60.0
    }

    package struct Journal: Hashable, Sendable {
        package var location = false
    }

    package struct Events: Hashable, Sendable {
        package var maxEvents = 100_000
        package var maxAgeSeconds = 90.0 * 86_400
        /// Bytes.
        package var maxSize = 64 << 20
        package var queueMax = 10_000
    }

    package struct Store: Hashable, Sendable {
        package var positionIntervalSeconds = 60.0
    }

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

    package struct Bus: Hashable, Sendable {
        /// `system`, `session`, `none` or a D-Bus address.
        package var bus = "system"
        package var maxFences = 2_000_000
        package var maxBatch = 10_000
        /// Bytes.
        package var maxImportSize = 1 << 30
        package var maxSubscriptions = 16
        package var maxConsumers = 64
    }
}
