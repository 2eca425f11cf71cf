@testable import geofencectl

// Units that the service manager has in another state than stopped or failing.

extension DoctorStepTests {
    static let serviceCases: [Case] = daemonUnitCases + gpsdUnitCases + programUnitCases

    private static let daemonUnitCases: [Case] = [
        Case("masked", "daemon-absent") {
            $0.stop(); $0.unit?.loadState = "masked"
        },
        Case("a drop-in that cannot be", "unit-invalid") {
            $0.stop(); $0.unit?.loadState = "bad-setting"
        },
        Case("a unit that cannot be read", "unit-invalid") {
            $0.stop(); $0.unit?.loadState = "error"
        },
        Case("a start that reads a million fences", "daemon-starting") { $0.beginToStart() },
        Case("the same, with its name, and no answer yet", "daemon-starting") { evidence in
            evidence.beginToStart()
            evidence.bus.silence = "no answer"
        },
        Case("the same, after a failure", "daemon-failing") { evidence in
            evidence.beginToStart()
            evidence.unit?.restarts = 1
        },
        Case("without a bus, as it is set", "bus-off") { evidence in
            evidence.stop()
            evidence.settings.bus = "none"
        },
        Case("an address of gpsd that is not known", "gpsd-unresolved") { evidence in
            evidence.loseGpsd()
            evidence.gpsd?.isUnresolved = true
            evidence.gpsd?.addresses = []
        },
    ]

    private static let gpsdUnitCases: [Case] = [
        Case("gpsd is stopped", "gpsd-unreachable") { $0.loseGpsd(units: "inactive") },
        Case("gpsd is not installed", "gpsd-absent") { evidence in
            evidence.loseGpsd(units: "inactive")
            for unit in UnitState.gpsd { evidence.others.units[unit]?.loadState = "not-found" }
        },
        Case("gpsd is masked", "gpsd-masked") { evidence in
            evidence.loseGpsd(units: "inactive")
            evidence.others.units["gpsd.service"]?.loadState = "masked"
        },
        Case("gpsd ends at each start, until nobody listens", "gpsd-failing") {
            $0.loseGpsd(units: "failed")
        },
        Case("gpsd ends at each start, and its socket still listens", "gpsd-failing") { evidence in
            evidence.loseGpsd(units: "active")
            evidence.gpsd?.failure = nil
            evidence.others.units["gpsd.service"]?.activeState = "failed"
        },
        Case("gpsd hangs", "gpsd-silent") { evidence in
            evidence.loseGpsd(units: "active")
            evidence.gpsd?.failure = nil
        },
        Case("gpsd is not installed as a unit, and runs elsewhere", "gpsd-unreachable") {
            evidence in
            evidence.loseGpsd(units: "inactive")
            evidence.others.units["gpsd.service"]?.loadState = "not-found"
            evidence.gpsd?.elsewhere = ["port 4711 (process 123)"]
        },
        Case("gpsd of another machine, and none here", "gpsd-unreachable") { evidence in
            evidence.loseGpsd(units: "failed")
            evidence.gpsd?.addresses = [[192, 168, 1, 1]]
            evidence.unit?.denied = []
        },
    ]

    private static let programUnitCases: [Case] = [
        Case("a source without a configuration, which this caller may not see", "sync-removed") {
            $0.others.sources = [.init(name: "office", state: "removed", line: "12 fences")]
        },
        Case("a set that geofenced has lost", "sync-fails") {
            $0.others.sources = [.init(name: "office", state: "missing", line: "0 fences")]
        },
        Case("a destination that rests", "") { $0.rest() },
        Case("one that has failed, and would be started by the bus", "uplink-stopped") { evidence in
            evidence.rest()
            evidence.others.units["geofenced-uplink@fleet.service"]?.result = "exit-code"
        },
        Case("one that nobody starts", "uplink-stopped") { evidence in
            evidence.rest()
            evidence.others.startedByBus = []
        },
        Case("a voice that fails before the daemon knows it", "alert-stopped") { evidence in
            evidence.others.isAlertOwned = false
            evidence.others.stop("geofenced-alert.service")
            evidence.others.units["geofenced-alert.service"]?.subState = "auto-restart-queued"
            evidence.others.units["geofenced-alert.service"]?.activeState = "activating"
            evidence.others.units["geofenced-alert.service"]?.fileState = "enabled"
        },
        Case("a voice that nobody wants", "") { evidence in
            evidence.others.isAlertOwned = false
            evidence.others.stop("geofenced-alert.service")
        },
    ]
}

extension DoctorEvidence {
    /// The daemon was started, and is not ready.
    fileprivate mutating func beginToStart() {
        stop()
        unit?.activeState = "activating"
        unit?.subState = "start"
    }

    /// No gpsd answers, and its units are in this state.
    fileprivate mutating func loseGpsd(units state: String) {
        loseGpsd()
        for unit in UnitState.gpsd {
            others.stop(unit)
            others.units[unit]?.activeState = state
        }
    }

    /// A destination has ended, for there was nothing to do.
    fileprivate mutating func rest() {
        others.configuredUplinks = ["fleet"]
        others.consumers = [.init(name: "org.geofenced.Uplink1.fleet", pending: 0)]
        others.startedByBus = ["org.geofenced.Uplink1.fleet"]
        others.stop("geofenced-uplink@fleet.service")
    }
}
