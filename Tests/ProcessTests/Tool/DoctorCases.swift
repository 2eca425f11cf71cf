import Testing

@testable import geofencectl

// What needs a booted system, another machine or a long time to be real; the rest is made in
// DoctorBoxTests.

extension DoctorStepTests {
    static let cases: [Case] =
        unitCases + gpsdCases + daemonCases + otherCases + serviceCases

    private static let unitCases: [Case] = [
        Case("gpsd on another machine, as shipped", "address-forbidden") {
            $0.gpsd?.addresses = [[192, 168, 1, 1]]
        },
        Case("the same, in IPv6", "address-forbidden") {
            $0.gpsd?.addresses = [[0xFD] + [UInt8](repeating: 0, count: 15)]
        },
        Case("no network at all", "address-forbidden") { $0.unit?.hasPrivateNetwork = true },
        Case("one of two addresses is allowed", "") {
            $0.gpsd?.addresses = [[192, 168, 1, 1], [127, 0, 0, 1]]
        },
        Case("the sandbox is not in force", "") { evidence in
            evidence.gpsd?.addresses = [[192, 168, 1, 1]]
            evidence.bus.pid = 8
        },
        Case("a device, as shipped", "device-forbidden") {
            $0.gpsd = nil; $0.line = device
        },
        Case("another device is allowed", "device-forbidden") { evidence in
            evidence.gpsd = nil
            evidence.line = device
            evidence.unit?.hasPrivateDevices = false
            evidence.unit?.allowedDevices = ["/dev/ttyUSB1"]
        },
        Case("devices of another class alone, as with ProtectClock=", "device-forbidden") {
            $0.gpsd = nil
            $0.line = device
            $0.unit?.hasPrivateDevices = false
            $0.unit?.devicePolicy = "closed"
            $0.unit?.allowedDevices = ["char-rtc"]
        },
        Case("the class of the device is allowed", "") {
            $0.gpsd = nil
            $0.line = device
            $0.unit?.hasPrivateDevices = false
            $0.unit?.devicePolicy = "closed"
            $0.unit?.allowedDevices = ["char-rtc", "char-ttyUSB*"]
        },
        Case("a device that is allowed, without its group", "receiver-denied") { evidence in
            evidence.gpsd = nil
            evidence.line = device
            evidence.line?.isReadable = false
            evidence.unit?.hasPrivateDevices = false
        },
        Case("a drop-in that was not read", "unit-not-reloaded") { $0.unit?.needsReload = true },
        Case("not installed", "daemon-absent") {
            $0.stop(); $0.unit?.loadState = "not-found"
        },
        Case("stopped", "daemon-stopped") {
            $0.stop(); $0.unit?.activeState = "inactive"
        },
        Case("fails at every start", "daemon-failing") { evidence in
            evidence.stop()
            evidence.unit?.activeState = "activating"
            evidence.unit?.subState = "auto-restart"
        },
        Case("runs, and has no name", "daemon-off-bus") { $0.stop() },
        Case("no policy", "bus-policy") {
            $0.stop(); $0.bus.hasPolicy = false
        },
        Case("it has its name, and its policy went", "bus-policy") { evidence in
            evidence.daemon = nil
            evidence.bus.hasPolicy = false
            evidence.bus.isDenied = true
            evidence.bus.silence = "Rejected send message"
        },
        Case("another policy forbids it", "bus-denied") { evidence in
            evidence.daemon = nil
            evidence.bus.hasPolicy = true
            evidence.bus.isDenied = true
            evidence.bus.silence = "Rejected send message"
        },
        Case("a journal that keeps nothing", "journal-keeps-nothing") {
            $0.host.keepsJournal = false
        },
        Case("no journald, and no file of it", "") { evidence in
            evidence.unit?.isJournalActive = nil
            evidence.host.keepsJournal = false
        },
        Case("journald is stopped", "journal-stopped") { $0.unit?.isJournalActive = false },
        Case("polkit without our actions", "polkit-ignorant") { $0.bus.hasActions = false },
    ]

    private static let gpsdCases: [Case] = [
        Case("a packet filter on this machine", "gpsd-filtered") {
            $0.loseGpsd(isUnanswered: true)
        },
        Case("one that refuses, where gpsd listens", "gpsd-filtered") { evidence in
            evidence.loseGpsd()
            evidence.gpsd?.isListenedTo = true
        },
        Case("nobody listens", "gpsd-unreachable") { $0.loseGpsd() },
        Case("another machine that does not answer", "gpsd-unanswered") { evidence in
            evidence.loseGpsd(isUnanswered: true)
            evidence.gpsd?.addresses = [[192, 168, 1, 1]]
            evidence.unit?.denied = []
        },
        Case("another machine without gpsd", "gpsd-unreachable") { evidence in
            evidence.loseGpsd()
            evidence.gpsd?.addresses = [[192, 168, 1, 1]]
            evidence.unit?.denied = []
        },
        Case("gpsd does not get the device open", "receiver-closed") { evidence in
            evidence.gpsd?.devices = [.init(path: "/dev/ttyUSB0", isActive: false, driver: "")]
            evidence.gpsd?.report = nil
        },
        Case("two receivers", "several-receivers") {
            $0.gpsd?.devices.append(.init(path: "/dev/ttyACM0", isActive: true, driver: ""))
        },
        Case("two receivers, and the daemon says which counts", "several-receivers") {
            $0.gpsd?.devices.append(.init(path: "/dev/ttyACM0", isActive: true, driver: ""))
            $0.daemon?.receiver = "/dev/ttyACM0"
        },
        Case("two receivers, and one is named", "") { evidence in
            evidence.gpsd?.devices.append(.init(path: "/dev/ttyACM0", isActive: true, driver: ""))
            evidence.gpsd?.wanted = "/dev/ttyACM0"
        },
        Case("1024 weeks ago", "receiver-date") { $0.gpsd?.report?.time? -= 1024 * 604_800 },
        Case("a fix without a date", "no-date") { $0.gpsd?.report?.time = nil },
        Case("a refusal of gpsd", "gpsd-strange") { $0.gpsd?.complaint = "no such device" },
        Case("another protocol at that port", "gpsd-strange") { evidence in
            evidence.gpsd?.release = nil
            evidence.gpsd?.hasSpoken = true
        },
        Case("no error is stated", "") { $0.gpsd?.report?.error = nil },
        Case("the clock, as the daemon has it", "clock-differs") { evidence in
            evidence.gpsd = nil
            evidence.daemon?.clockDifference = 61
        },
    ]

    private static let daemonCases: [Case] = [
        Case("nothing has come", "no-reports") { $0.daemon?.positionState = "unknown" },
        Case("nothing comes any more", "position-lost") { $0.daemon?.positionState = "lost" },
        Case("parked, and the receiver sleeps", "") { evidence in
            evidence.daemon?.positionState = "lost"
            evidence.daemon?.isResting = true
        },
        Case("parked, and gpsd could not be reached", "source") { evidence in
            evidence.daemon?.isResting = true
            evidence.daemon?.degraded = ["source"]
        },
        Case("fences are lost", "fences-lost") { $0.daemon?.degraded = ["fences-lost"] },
        Case("fences are held without their time zone", "timezone-unknown") {
            $0.daemon?.degraded = ["timezone-unknown"]
        },
        Case("fences are lost, all of them", "fences-lost") { evidence in
            evidence.daemon?.degraded = ["fences-lost"]
            evidence.daemon?.fenceCount = 0
            evidence.fences.nearest = nil
        },
        Case("the position is doubted", "position-doubtful") { evidence in
            evidence.daemon?.degraded = ["position-doubtful"]
            evidence.daemon?.positionState = "doubtful"
        },
    ]

    private static let otherCases: [Case] = [
        Case("the wrong owner", "state-owner") { $0.host.closedFile = "root" },
        Case("no inode", "disk-full") { $0.host.freeFiles = 0 },
        Case("little room", "disk-nearly-full") { $0.host.freeBytes = 1 << 20 },
        Case("a consumer that is far behind", "consumer-behind") { evidence in
            evidence.daemon?.degraded = ["consumer-behind"]
        },
        Case("a consumer that does not acknowledge", "consumer-waits") {
            $0.others.consumers = [.init(name: "org.example.A", pending: 3, waiting: 3600)]
        },
        Case("a consumer that was just told", "") {
            $0.others.consumers = [.init(name: "org.example.A", pending: 3, waiting: 2)]
        },
        Case("a voice that cannot be heard", "alert-mute") {
            $0.others.consumers = [.init(name: "org.geofenced.Alert1", pending: 0)]
            $0.others.alertText = "cannot be heard: aplay: exit status 1"
        },
        Case("a voice that waits", "") {
            $0.others.consumers = [.init(name: "org.geofenced.Alert1", pending: 0)]
            $0.others.alertText = "waiting for alerts"
        },
        Case("a voice in the session of a user", "") {
            $0.others.consumers = [.init(name: "org.geofenced.Alert1", pending: 0)]
            $0.others.alertText = AlertLine.unseen
        },
        Case("a voice that is disabled", "alert-stopped") { evidence in
            evidence.others.consumers = [.init(name: "org.geofenced.Alert1", pending: 0)]
            evidence.others.alertText = AlertLine.unseen
            evidence.others.isAlertOwned = false
            evidence.others.stop("geofenced-alert.service")
        },
        Case("a voice that is being started", "") { evidence in
            evidence.others.consumers = [.init(name: "org.geofenced.Alert1", pending: 0)]
            evidence.others.alertText = AlertLine.unseen
            evidence.others.isAlertOwned = false
            evidence.others.stop("geofenced-alert.service")
            evidence.others.units["geofenced-alert.service"]?.activeState = "activating"
        },
        Case("a timer that is disabled", "sync-stopped") { evidence in
            evidence.others.configuredSources = ["office"]
            evidence.others.sources = [
                .init(name: "office", state: "unchanged", line: "10 days ago")
            ]
            evidence.others.stop("geofenced-sync@office.timer")
        },
        Case("a timer that never ran", "sync-stopped") { evidence in
            evidence.others.configuredSources = ["office"]
            evidence.others.stop("geofenced-sync@office.timer")
        },
        Case("a source whose settings are wrong", "sync-fails") { evidence in
            evidence.others.configuredSources = ["office"]
            evidence.others.stop("geofenced-sync@office.service")
            evidence.others.units["geofenced-sync@office.service"]?.activeState = "failed"
        },
        Case("a destination whose settings are wrong", "uplink-stopped") { evidence in
            evidence.others.configuredUplinks = ["fleet"]
            evidence.others.stop("geofenced-uplink@fleet.service")
            evidence.others.units["geofenced-uplink@fleet.service"]?.result = "exit-code"
        },
        Case("a source whose configuration was removed", "sync-removed") { evidence in
            evidence.others.configuredSources = []
            evidence.fences.origins = [.init(name: "source/office", fences: 12)]
            evidence.others.sources = [.init(name: "office", state: "timeout", line: "timeout")]
        },
        Case("the same, and its fences are gone, too", "") { evidence in
            evidence.others.configuredSources = []
            evidence.fences.origins = [.init(name: "source/office", fences: 0)]
            evidence.others.sources = [.init(name: "office", state: "timeout", line: "timeout")]
        },
        Case("Bluetooth is off, and beacons are wanted", "bluetooth-stopped") { evidence in
            evidence.daemon?.degraded = ["beacons"]
            evidence.daemon?.beaconReason = "no-bluez"
            evidence.others.stop("bluetooth.service")
        },
        Case("geofenced-can is not there", "can-stopped") {
            $0.others.silentInputs = [.init(kind: .wheels, text: "nobody has the name")]
        },
        Case("a set that is held", "sync-held") {
            $0.others.sources = [.init(name: "office", state: "held", line: "held")]
        },
        Case("a source that is looked at now", "") {
            $0.others.sources = [
                .init(name: "office", state: "fetching", line: "fetching", tried: 3500),
                .init(name: "depot", state: "fetching", line: "fetching"),
            ]
        },
        Case("a look that was killed", "sync-fails") {
            $0.others.sources = [
                .init(name: "office", state: "fetching", line: "fetching", tried: 3700)
            ]
        },
        Case("a source that has not answered", "sync-fails") {
            $0.others.sources = [.init(name: "office", state: "timeout", line: "timeout")]
        },
        Case("a source that is paused", "sync-paused") {
            $0.others.sources = [.init(name: "office", state: "paused", line: "paused")]
        },
        Case("an uplink without a network", "uplink-fails") {
            $0.others.consumers = [
                .init(name: "org.geofenced.Uplink1.fleet", pending: 3, waiting: 3600)
            ]
        },
    ]

    /// A step with several causes, in the order in which they are to be told.
    struct Several: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let step: DoctorStep
        let causes: [String]
        let change: @Sendable (inout DoctorEvidence) -> Void
    }

    static let severalCases: [Several] = [
        Several(
            testDescription: "a mute voice, and a consumer stuck for 16 minutes",
            step: .consumers, causes: ["alert-mute", "consumer-waits", "consumer-fails"]
        ) { evidence in
            evidence.others.alertText = "cannot be heard: no sound card"
            evidence.others.consumers = [
                .init(name: "org.geofenced.Alert1", pending: 0),
                .init(name: "org.example.A", pending: 3, waiting: 960),
                .init(name: "org.example.B", pending: 1, waiting: 2, lastError: "Gone"),
            ]
        },
        Several(
            testDescription: "three sources", step: .sync,
            causes: ["sync-fails", "sync-held", "sync-unseen"]
        ) { evidence in
            evidence.others.configuredSources = ["depots", "office", "roads"]
            evidence.others.sources = [
                .init(name: "depots", state: "held", line: "held"),
                .init(name: "office", state: "timeout", line: "timeout"),
            ]
        },
        Several(
            testDescription: "two destinations, and one that never ran", step: .uplinks,
            causes: ["uplink-denied", "uplink-stopped", "uplink-unseen"]
        ) { evidence in
            evidence.others.configuredUplinks = ["a", "b", "c"]
            evidence.others.consumers = [
                .init(name: "org.geofenced.Uplink1.a", pending: 3, waiting: 3600),
                .init(name: "org.geofenced.Uplink1.b", pending: 0),
            ]
            evidence.others.stop("geofenced-uplink@a.service")
            evidence.others.uplinkTexts = ["b": "denied: Not authorized"]
        },
        Several(
            testDescription: "files that are unreadable, refused and ignored", step: .fenceFiles,
            causes: ["fence-file-unreadable", "fence-file-refused", "fence-file-ignored"]
        ) { evidence in
            evidence.fences.ignoredFiles = ["places.kml"]
            evidence.fences.fileProblems = ["a.geojson:1: no radius"]
            evidence.fences.unreadableFiles = ["b.geojson is -rw------- root:root"]
            evidence.daemon?.degraded = ["fence-file-refused"]
        },
        Several(
            testDescription: "a full disk of another owner", step: .disk,
            causes: ["disk-full", "state-owner"]
        ) { evidence in
            evidence.host.freeBytes = 0
            evidence.host.closedFile = "/var/lib/geofenced belongs to root"
            evidence.daemon?.degraded = ["store-unwritable"]
        },
        Several(
            testDescription: "low bridges, and an absurd height", step: .vehicle,
            causes: ["height-absurd", "height-not-confirmed"]
        ) { evidence in
            evidence.daemon?.statedHeight = 1.2
            evidence.daemon?.height = 4
            evidence.daemon?.degraded = ["height-not-confirmed"]
        },
    ]

    private static var device: LineEvidence {
        var line = LineEvidence()
        line.path = "/dev/ttyUSB0"
        line.isReadable = true
        return line
    }
}

extension OtherEvidence {
    /// A unit that somebody has disabled.
    mutating func stop(_ unit: String) {
        units[unit] = UnitState(
            name: unit, activeState: "inactive", subState: "dead", fileState: "disabled")
    }
}

extension DoctorEvidence {
    /// There is no connection to gpsd, and everything that follows from that.
    mutating func loseGpsd(isUnanswered: Bool = false) {
        gpsd?.failure = isUnanswered ? "no answer in 3 s" : "Connection refused"
        gpsd?.isUnanswered = isUnanswered
        gpsd?.release = nil
        gpsd?.report = nil
    }

    /// The daemon is not there.
    mutating func stop() {
        daemon = nil
        bus.isOwned = false
        bus.pid = 0
    }
}
