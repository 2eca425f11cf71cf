import Engine
import FixSources
import Formats
import Geodesy
import JSON
import Storage

extension Verb {
    static let replay = Verb(
        "replay", "TRACK [FILE…]", 1...1000,
        summary: "what the daemon would say on a recorded drive",
        details: """
            Runs the daemon's own engine over a recording: an NMEA log, a GPX track or a log of
            gpsd's JSON, gzipped or not, told apart by content. No daemon is asked and nothing is
            stored. Two runs give the same bytes. Events come in the order of knowing; a summary
            ends them (with --json: a last object that has a "summary" and no "kind").
            """,
        options: [
            OptionRule(
                "fences", value: "FILE", repeats: true,
                "fences; a file with a bad entry fails whole"),
            OptionRule(
                "window", value: "N", "regions watched at once, the metafence included (20)"),
        ] + OptionRule.fenceFile,
        run: runReplay)
}

@MainActor
private func runReplay(_ invocation: Invocation) throws {
    // Files behind the track are fences too: `--fences fences.d/*.geojson`.
    let files = invocation.values("fences") + invocation.operands.dropFirst()
    guard !files.isEmpty else { throw Failure.usage("missing option of replay", "--fences FILE") }
    var settings = EngineSettings()
    if let size = try invocation.integer("window", in: 2...1000) {
        settings.window.size = Int(size)
    }
    let track = try reading { try TrackReader(path: invocation.operands[0]) }
    let catalogue = try ScratchCatalogue()
    for warning in try catalogue.load(files, invocation.fenceFileOptions()) {
        StandardError.warn(warning)
    }

    var storeError: (any Error)?
    var replay = Replay(settings: settings, store: catalogue.store) { storeError = $0 }
    while let report = try reading({ try track.next() }) {
        for event in replay.take(report) {
            try StandardOutput.write(
                invocation.isJSON
                    ? EventJSON.line(event)
                    : Array((EventLine.text(event, .output) + "\n").utf8))
        }
        if let storeError { throw Failure("\(storeError)") }
        try Interruption.check()
    }
    replay.finish()
    if let complaint = track.complaint {
        StandardError.warn("\(complaint): \(invocation.operands[0])")
    }
    let summary = replay.summary
    try StandardOutput.write(
        invocation.isJSON
            ? ReplayReport.json(summary, fences: catalogue.store.count)
            : Array(ReplayReport.text(summary, fences: catalogue.store.count).utf8))
    guard summary.fixes.accepted > 0 else {
        throw Failure(ReplayReport.uselessness(summary), invocation.operands[0])
    }
}

/// The tool's message for an error of a recording.
private func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as TrackError {
        throw Failure(error.reason, error.path + (error.line.map { ":\($0)" } ?? ""))
    }
}
