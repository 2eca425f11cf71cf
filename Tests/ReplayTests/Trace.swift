import EngineTestKit
import FenceFiles
import FixSources
import Foundation
import Law
import Model
import Storage
import Testing

/// A recorded drive, its fences and the events that were reviewed.
struct Trace: Sendable, CustomTestStringConvertible {
    let name: String
    let track: String

    var testDescription: String { name }

    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Traces").path

    var fences: String { "\(Self.directory)/\(name).geojson" }
    var expectation: String { "\(Self.directory)/\(name).events.jsonl" }
    var header: String { "\(Self.directory)/\(name).md" }

    static let all: [Trace] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return files.sorted().compactMap { file in
            let parts = file.split(separator: ".")
            guard let name = parts.first, parts.count > 1,
                ["nmea", "gpx", "json"].contains(parts[1])
            else { return nil }
            return Trace(name: String(name), track: "\(directory)/\(file)")
        }
    }()

    static func named(_ name: String) throws -> Trace {
        try #require(all.first { $0.name == name })
    }

    /// The catalogue as plain arrays.
    func memoryStore() throws -> MemoryFenceStore {
        let reader = try FenceFileReader(path: fences)
        var fences: [Fence] = []
        while let fence = try reader.next() { fences.append(fence) }
        return MemoryFenceStore(fences)
    }

    /// Runs the engine over the track, all within this process.
    func replay(window: Int = 20) throws -> (events: [LoggedEvent], summary: ReplaySummary) {
        var settings = EngineSettings()
        settings.window.size = window
        var replay = Replay(settings: settings, store: try memoryStore()) {
            Issue.record("the store failed: \($0)")
        }
        let reader = try TrackReader(path: track)
        var events: [LoggedEvent] = []
        while let report = try reader.next() { events += replay.handle(report) }
        replay.finish()
        return (events, replay.summary)
    }
}
