import Configuration
import Files
import FixSources
import Formats
import Geodesy
import Glibc
import JSON
import Law
import Model
import Program
import Schedules
import Settings
import Storage

/// The sections of the settings that a replay has.
private let replaySections = ["Fix", "Crossing", "Window", "Vehicle"]

extension Verb {
    static let replay = Verb(
        "replay", "TRACK…", 1...1000,
        summary: "what the daemon would say on a recorded drive",
        details: """
            Runs the daemon's own engine over recordings, one after the other: NMEA logs, GPX
            tracks or logs of gpsd's JSON, gzipped or not, told apart by content; - is standard
            input. What is no recording behind the first is a fence file, as in
            --fences fences.d/*.geojson. No daemon is asked and nothing is stored. Two runs give
            the same bytes. Events come in the order of knowing; a summary of all of them ends
            them (with --json: a last object that has a "summary" and no "kind"). The settings
            are the built-in defaults, whatever this machine has, if no --config is given.
            --map and --plot write files beside the lines; - is standard output, which then has
            nothing else. They hold positions, and only their owner can read them.
            """,
        options: [
            OptionRule(
                "fences", value: "FILE", repeats: true,
                "fences; a file with a bad entry fails whole")
        ] + OptionRule.fenceFile + [
            OptionRule(
                "beacons", value: "FILE",
                "beacons heard on the drive: lines of JSON with t, address, rssi, data"),
            OptionRule(
                "can", value: "FILE",
                "the vehicle's network on the drive, as candump -L writes it"),
            OptionRule(
                "window", value: "N", "regions watched at once, the metafence included (20)"),
            OptionRule(
                "vehicle-height", value: "M", "height of the vehicle, for low bridges (4.20)"),
            OptionRule("parked", "the ignition is off all the time: reports towing"),
            OptionRule("config", value: "FILE", "settings, as the daemon reads them"),
            OptionRule(
                "set", value: "KEY=VALUE", repeats: true,
                "one setting, such as Crossing.SettleSec=20s",
                completion: .prefixes(replaySections.map { "\($0)." })),
            OptionRule("fixes", "with --json: also each fix, and why it did not count"),
            OptionRule(
                "plot", value: "ID=FILE", repeats: true,
                "the distance to that fence over time, as SVG"),
        ] + OptionRule.driveFiles + OptionRule.eventFilters,
        run: runReplay)
}

@MainActor
private func runReplay(_ invocation: Invocation) throws {
    let operands = try Operands(invocation)
    let selection = try EventSelection(invocation)
    let outputs = try DriveOutputs(invocation)
    guard invocation.isJSON || !invocation.has("fixes") else {
        throw Failure.usage("only together with --json", "--fixes")
    }
    let settings = try replaySettings(invocation)
    let nmea = settings.forSource
    var engine = settings.law(arrivalIsDerived: true)
    if let size = try invocation.integer("window", in: 2...1000) {
        engine.window.size = Int(size)
    }
    if let height = try invocation.number("vehicle-height", in: Vehicle.range(of: .height)) {
        engine.vehicle.height = height
    }
    // An unreadable recording is reported before hundreds of thousands of fences are loaded.
    var track = try operands.open(0, nmea)
    let catalogue = try ScratchCatalogue()
    catalogue.store.catalogue.keepHours(by: settings.hourBook)
    for warning in try catalogue.load(operands.files, invocation.fenceFileOptions()) {
        StandardError.warn(warning)
    }

    var storeError: (any Error)?
    var replay = Replay(
        settings: engine, store: catalogue.store
    ) { storeError = $0 }
    if let file = invocation.value("beacons") {
        let sightings = try reading { try SightingFile.read(path: file) }
        replay.listen(to: sightings, for: try catalogue.store.catalogue.beaconRegions())
    }
    if let file = invocation.value("can") {
        replay.listen(to: try reading { try MotionFile.read(path: file) })
    }
    if invocation.has("parked") { replay.setIgnition(false) }
    let lines = ReplayLines(
        selection: selection, isJSON: invocation.isJSON, hasFixes: invocation.has("fixes"),
        isSilent: outputs.takeStandardOutput,
        fences: try invocation.values("fence").compactMap { try catalogue.fence($0) })
    var recorder = outputs.needRecord ? DriveRecorder { try catalogue.fence($0) } : nil
    for (index, name) in operands.tracks.enumerated() {
        if index > 0 { track = try operands.open(index, nmea) }
        while let report = try reading({ try track.next() }) {
            if recorder == nil, !lines.hasFixes {
                try lines.write(replay.handle(report))
            } else {
                let (events, verdict) =
                    try recorder?.record(report, &replay) ?? replay.judge(report)
                try lines.write(report, verdict)
                try lines.write(events)
            }
            if let storeError { throw Failure("\(storeError)") }
            try Interruption.check()
        }
        if let complaint = track.complaint { StandardError.warn("\(complaint): \(name)") }
    }
    for dropped in replay.doubted { try lines.write(dropped) }
    recorder?.finish(replay)
    replay.finish()
    for reason in WheelRefusal.allCases {
        guard let count = replay.refusedMotions[reason] else { continue }
        StandardError.warn("\(count) of the vehicle's motions refused: \(reason.rawValue)")
    }
    let summary = replay.summary
    try lines.write(summary, fences: catalogue.store.count)
    if summary.fixes[.outOfOrder] / 4 > summary.fixes.accepted {
        StandardError.warn(
            "most times go back: the track may be in reverse order, or of several recordings")
    }
    guard summary.fixes.accepted > 0 else {
        throw Failure(
            ReplayReport.uselessness(summary), operands.tracks.joined(separator: ", "))
    }
    guard let record = recorder?.record else { return }
    var making = DriveJSON.Making(summary: summary, fences: catalogue.store.count)
    making.settings = settingTexts(invocation)
    making.rules = ApproachRules(settings: engine.approach, vehicle: engine.vehicle)
    if outputs.map != nil {
        making.inputs = try operands.inputs(config: invocation.value("config"))
    }
    let title = operands.tracks[0].split(separator: "/").last.map(String.init) ?? "drive"
    try outputs.write(record, making, title: title, selection) { try catalogue.fence($0) }
}

/// What the command line has set, as it is shown in a page.
private func settingTexts(_ invocation: Invocation) -> [String] {
    var texts = invocation.values("set")
    if let size = invocation.value("window") { texts.append("Window.Size=\(size)") }
    if let height = invocation.value("vehicle-height") {
        texts.append("Vehicle.HeightM=\(height)")
    }
    return texts
}

/// The operands: recordings, and files of fences.
@MainActor
private struct Operands {
    var tracks: [String] = []
    var files: [String]
    /// A copy of standard input, to be read twice.
    private var input: OpenFile?

    init(_ invocation: Invocation) throws {
        files = invocation.values("fences")
        for operand in invocation.operands {
            if tracks.isEmpty {
                tracks.append(operand)
            } else if try operand != "-" && reading({ try TrackReader.isRecording(operand) }) {
                tracks.append(operand)
            } else {
                files.append(operand)
            }
        }
        guard !files.isEmpty else {
            throw Failure.missing(option: "--fences FILE")
        }
        guard tracks.first == "-" else { return }
        guard !files.contains("-") else {
            throw Failure.usage("standard input can be read once", "-")
        }
        let file = try OpenFile.scratch()
        let given = try Failure.at("standard input") { () throws(Errno) in
            try OpenFile(operand: "-")
        }
        try file.append(given, "standard input")
        lseek(file.descriptor, 0, SEEK_SET)
        input = file
    }

    /// What the replay was made of, for a page to name.
    func inputs(config: String?) throws -> [DriveInput] {
        var inputs: [DriveInput] = []
        for (index, path) in tracks.enumerated() {
            if index == 0, let input {
                inputs.append(try DriveInput(.track, name: "standard input", input))
            } else {
                inputs.append(try DriveInput(.track, path: path))
            }
        }
        for path in files where path != "-" {
            inputs.append(try DriveInput(.fences, path: path))
        }
        if let config { inputs.append(try DriveInput(.settings, path: config)) }
        return inputs
    }

    func open(_ index: Int, _ settings: ReceiverSettings) throws -> TrackReader {
        try reading {
            guard index == 0, let input else {
                return try TrackReader(path: tracks[index], settings)
            }
            return try TrackReader(descriptor: input.descriptor, name: "standard input", settings)
        }
    }
}

/// Settings of the command line, then of its file, then the defaults.
@MainActor
private func replaySettings(_ invocation: Invocation) throws -> Settings {
    var loaded = LoadedSettings(Settings.table)
    if let file = invocation.value("config") {
        loaded = Settings.load(config: file)
        for problem in loaded.problems {
            if problem.file == file, problem.line == nil { throw Failure(problem.reason, file) }
            StandardError.warn("\(problem)")
        }
    }
    do throws(AssignmentError) {
        try loaded.set(invocation.values("set"), in: Set(replaySections))
    } catch {
        throw Failure.usage(error.reason, "--set \(error.text)")
    }
    return loaded.settings
}

/// The tool's message for an error of a recording.
private func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as TrackError {
        throw Failure(error.reason, error.path + (error.line.map { ":\($0)" } ?? ""))
    }
}
