import EngineTestKit
import Geodesy
import Glibc
import Law
import Model
import Storage
import Time

/// Compares the events of the window with those of every fence on every fix.
///
/// A fence far from the drive is `outside` from the first fix to the last for any monitor, and has
/// no event; so the monitor that checks every fence is given those whose bounding box comes within
/// a tenth of a degree of the drive.
func compare(state: String, track: String, _ options: Options) throws {
    let drive = try RecordedDrive(track, every: options.number("every", otherwise: 1))
    let store = try open(state)
    var replay = Replay(store: store) { fail("\($0)") }
    var windowed: [Event] = []
    for (report, _) in drive.reports { windowed += replay.handle(report).map(\.event) }

    let near = try store.entries(meeting: nearestCache(drive)).map(\.fence)
    let watch = Stopwatch()
    let everything = watchEverything(near, drive)
    say("fixes", drive.reports.count)
    say("fences", store.count)
    say("fences_near", near.count)
    say("events", windowed.count)
    say("seconds_of_every_fence", watch.seconds)
    say("equal", windowed == everything ? 1 : 0)
    if windowed != everything { complain(difference(windowed, everything)) }
    if let path = options.text("events") { save(everything, to: path) }
}

private func nearestCache(_ drive: RecordedDrive) -> GeoBox {
    let places = drive.reports.compactMap(\.report.coordinate)
    let latitudes = places.map(\.latitude)
    let longitudes = places.map(\.longitude)
    return GeoBox(
        west: (longitudes.min() ?? 0) - 0.1, south: (latitudes.min() ?? 0) - 0.1,
        east: (longitudes.max() ?? 0) + 0.1, north: (latitudes.max() ?? 0) + 0.1)
}

private func watchEverything(_ fences: [Fence], _ drive: RecordedDrive) -> [Event] {
    var settings = EngineSettings()
    settings.gates.arrivalIsDerived = true
    var monitor = EveryFenceMonitor(settings: settings, fences: fences)
    // Without fences: which reports are accepted does not depend on them.
    var clock = Replay(settings: settings, store: MemoryFenceStore()) { fail("\($0)") }
    var events: [Event] = []
    for (report, _) in drive.reports {
        _ = clock.handle(report)
        events += monitor.handle(report, at: clock.now)
    }
    return events
}

/// One line for each: kind, fence, time and time of the fix in ns.
private func save(_ events: [Event], to path: String) {
    guard let file = fopen(path, "w") else { fail("cannot be written: \(path)") }
    defer { fclose(file) }
    for event in events {
        let fence = event.fence ?? ""
        fputs(
            "\(event.kind.rawValue)\t\(fence)\t\(event.time.nanoseconds)\t"
                + "\(event.fixTime.nanoseconds)\n", file)
    }
}
