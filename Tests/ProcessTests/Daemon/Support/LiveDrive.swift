import JSON
import SystemTestKit
import Testing

/// A recorded drive through a real gpsd into the real daemon, a portion at a time: the basis of
/// every fault. gpsd's output is recorded, and a replay of the recording is the oracle.
@MainActor
final class LiveDrive {
    let trace: Trace
    let receiver: Receiver
    let gpsd: Gpsd
    let bench: DaemonBench
    /// Epochs that the receiver has sent.
    private(set) var spoken = 0

    /// gpsd runs and is recorded; the daemon has the fences of the drive and is not started.
    init(_ trace: Trace? = nil, withBus: Bool = true) throws {
        self.trace = try trace ?? Trace.drive()
        receiver = try Receiver()
        gpsd = try Gpsd(receiver: receiver)
        bench = try DaemonBench(withBus: withBus)
        try bench.installFences(of: self.trace)
        bench.source = gpsd.uri
        try gpsd.start()
        try gpsd.record()
    }

    /// Lets the receiver send up to epoch `point`, the end by default, once the daemon listens to
    /// gpsd, and waits until gpsd has reported all of it.
    func speak(to point: Int? = nil) throws {
        let point = point ?? trace.epochs.count
        try #require(
            waitUntil(seconds: 60) { !bench.said("fixes come from gpsd").isEmpty },
            "\(bench.errors)")
        try receiver.send(trace.epochs[spoken..<point])
        spoken = point
        // The first epoch is not a fix, and the last is reported with the one after it.
        try #require(waitUntil(seconds: 60) { gpsd.fixes >= point - 2 })
    }

    /// The same, and waits until the daemon has judged the last fix.
    func drive(to point: Int? = nil) throws {
        try speak(to: point)
        try #require(bench.waits(forFixAt: gpsd.lastFix), "\(bench.errors)")
    }

    /// The expected events of all reports of gpsd.
    func expected() throws -> [LoggedLine] { try replay(gpsd.recording, trace.fences) }

    /// The log of the daemon is that of a replay, from number 1 without a gap.
    func expectWhole(
        _ events: [LoggedLine], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(events == (try expected()), sourceLocation: sourceLocation)
        // The events do not depend on where the error comes from.
        #expect(
            events.map(\.crossing) == (try trace.golden().prefix(events.count).map(\.crossing)),
            sourceLocation: sourceLocation)
        expectGapless(events, sourceLocation: sourceLocation)
    }
}

/// Numbers from 1 on, each once.
func expectGapless(
    _ events: [LoggedLine], sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        events.compactMap(\.seq) == Array(1..<Int64(events.count + 1)),
        sourceLocation: sourceLocation)
}

/// The events of the tool for a recording of gpsd.
func replay(
    _ recording: String, _ fences: String, options: [String] = []
) throws -> [LoggedLine] {
    let directory = TemporaryDirectory()
    let path = directory.write(recording, to: "gpsd.json")
    let run = Subprocess(
        [builtProgram("geofencectl"), "replay", path, "--fences", fences, "--json"] + options)
    let ending = try #require(run.wait())
    try #require(ending.status == 0, "\(ending.errors)")
    return try ending.output.jsonLines.filter { $0["kind"] != nil }.map(LoggedLine.init)
}
