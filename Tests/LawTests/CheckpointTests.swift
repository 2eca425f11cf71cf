import Bytes
import EngineTestKit
import Geodesy
import Testing

@testable import Law
@testable import Model

@Suite("what a killed process goes on from")
struct CheckpointTests {
    /// At 0 s outside, kept; at 1 s with an error of 50 m in the middle of a fence, which is
    /// refused as too inaccurate and so has no effect.
    private func checkpoint(_ fence: Fence) throws -> EngineCheckpoint {
        var settings = EngineSettings()
        settings.gates.errorLimit = 40
        var script = Script([fence], settings: settings)
        script.at(0, x: -300, speed: 60)
        var checkpoint = try #require(script.tracker.engine.checkpoint)
        let report = Script.report(5, x: 0, error: 50, speed: 60)
        var tracker = script.tracker
        #expect(tracker.handle(.report(report), at: Script.uptime(5)).isUneventful)
        checkpoint.reports = [EngineCheckpoint.Report(report, at: Script.uptime(5))]
        return checkpoint
    }

    private func restored(
        _ checkpoint: EngineCheckpoint, _ fence: Fence, errorLimit: Double
    ) -> Tracker {
        let store = MemoryFenceStore([fence])
        var settings = EngineSettings()
        settings.gates.errorLimit = errorLimit
        let engine = Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: store.entries(ids: checkpoint.fenceIDs), stays: [])
        return Tracker(engine: engine, store: store) { _ in }
    }

    @Test("a report without effect is replayed, with the same result")
    func again() throws {
        let fence = try Script.circle("bridge", x: 0, radius: 200)
        let tracker = restored(try checkpoint(fence), fence, errorLimit: 40)
        #expect(tracker.engine.counters[.inaccurate] == 1)
        #expect(tracker.engine.counters.accepted == 1)
    }

    @Test("a report that would now make an event is skipped, and nothing is missed")
    func otherSettings() throws {
        let fence = try Script.circle("bridge", x: 0, radius: 200)
        var tracker = restored(try checkpoint(fence), fence, errorLimit: 100)
        #expect(tracker.engine.counters.accepted == 1)
        #expect(tracker.engine.counters[.inaccurate] == 0)
        #expect(tracker.engine.lastFix?.time == Script.time(0))
        // Beyond the fence: the path from the previous fix leads through it.
        let report = Script.report(10, x: 300, speed: 60)
        let events = tracker.events(.report(report), at: Script.uptime(10))
        #expect(events.map(\.kind).contains(.enter))
    }
}

/// What a version without approaches wrote.
@Suite("checkpoints and records of the version before")
struct OldBytesTests {
    @Test("a checkpoint of version 2 is read, with the vehicle of the settings")
    func checkpoint() throws {
        var script = Script([try Script.circle("bridge", x: 0, radius: 200)])
        script.at(0, x: 0, speed: 20)
        script.at(1, x: 20, speed: 20)
        let bytes = try #require(script.tracker.engine.checkpointBytes)
        var expected = try #require(EngineCheckpoint(bytes: bytes))
        // Version 11 ends with the pace, version 10 with no trip.
        let pace = script.tracker.engine.way.pace
        let last = ByteWriter.bytes { $0.write(pace) }.count
        var tenth = Array(bytes.dropLast(last))
        tenth[0] = 10
        expected.way.pace = Pace()
        #expect(EngineCheckpoint(bytes: tenth) == expected)
        let trip = last + 1
        var ninth = Array(bytes.dropLast(trip))
        ninth[0] = 9
        #expect(EngineCheckpoint(bytes: ninth) == expected)
        // Version 9 ends with no ways to fences, version 8 with the odometer and the metres of one region.
        let ways = 4 + trip
        let odometer = script.tracker.engine.odometer
        let way = try #require(script.tracker.engine.window?.regions.first?.way)
        let metres =
            ByteWriter.bytes {
                $0.write(odometer)
                $0.write([0]) { writer, index in
                    writer.write(Int64(index))
                    writer.write(way) { $0.write($1) }
                }
            }.count + ways
        var eighth = Array(bytes.dropLast(ways))
        eighth[0] = 8
        #expect(EngineCheckpoint(bytes: eighth) == expected)
        expected.way.odometer = Odometer()
        expected.regions[0].way = nil
        var sixth = Array(bytes.dropLast(metres))
        sixth[0] = 7
        #expect(EngineCheckpoint(bytes: sixth) == expected)
        // Version 7 ends with what is believed, version 6 with no fixes of a parked vehicle.
        let trust = script.tracker.engine.trust
        let late = metres + ByteWriter.bytes { $0.write(trust) }.count + 1
        expected.trust = Trust()
        var fifth = Array(bytes.dropLast(late))
        fifth[0] = 5
        #expect(EngineCheckpoint(bytes: fifth) == expected)
        // Version 5 ends with empty values: watches, standing, ended fences, ignition and rest.
        let terms = late + 4 + 1 + 4 + 4 + 2
        var fourth = Array(bytes.dropLast(terms))
        fourth[0] = 4
        #expect(EngineCheckpoint(bytes: fourth) == expected)
        // Version 4 ends with empty values: radio, path and regions.
        let beacons = 1 + 1 + 8 + 4
        var third = Array(bytes.dropLast(terms + beacons))
        third[0] = 3
        #expect(EngineCheckpoint(bytes: third) == expected)
        // Version 3 ends with no hushes, no group, and a vehicle of nothing.
        var old = Array(bytes.dropLast(terms + beacons + 4 + 1 + 4 + 5 + 4 + 1 + 1))
        old.replaceSubrange(0..<4, with: [2, 0, 0, 0])
        let checkpoint = try #require(EngineCheckpoint(bytes: old))
        #expect(checkpoint.age == EngineCheckpoint(bytes: bytes)?.age)
        var settings = EngineSettings()
        settings.vehicle.height = 3
        let store = script.store
        let engine = Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: store.entries(ids: checkpoint.fenceIDs), stays: [])
        #expect(engine.vehicle.height == 3)
        #expect(engine.checkpointBytes?.first == 11)
    }

    @Test("pending records of versions 1 to 9 are read")
    func record() throws {
        var script = Script([try Script.circle("bridge", x: 0, radius: 200)])
        script.at(0, x: 0, speed: 20)
        var event = try #require(script.events.first)
        let record = EventRecord(
            events: [event], opened: [], closed: [], known: 1, positionLost: false)
        let whole = event
        // Version 10 ends with no trip, and so do its events.
        var ninth = Array(record.bytes.dropLast())
        ninth.remove(at: 11 + Int(ninth[8]))
        ninth[8] -= 1
        ninth[0] = 9
        #expect(EventRecord(bytes: ninth)?.events == [event])
        // Version 8 has no arrivals, which are within its details.
        var eighth = ninth
        eighth[0] = 8
        #expect(EventRecord(bytes: eighth)?.events == [event])
        // Version 8 ends with what the odometer shows, and its events with that, the way and the driver.
        event.odometer = nil
        var seventh = Array(ninth.dropLast())
        let later = 1 + 8 + 1 + 1
        seventh.removeSubrange((12 + Int(seventh[8]) - later)..<(12 + Int(seventh[8])))
        seventh[8] -= UInt8(later)
        seventh[0] = 7
        #expect(EventRecord(bytes: seventh)?.events == [event])
        // Version 7 puts the length before the event, and whether fences are lost at the end.
        var old = Array(seventh.dropLast())
        old.removeSubrange(8..<12)
        old[0] = 6
        #expect(EventRecord(bytes: old)?.events == [event])
        // No doubt.
        old.removeLast()
        old[0] = 5
        #expect(EventRecord(bytes: old)?.events == [event])
        // No fence has ended, and the ignition is not known.
        old.removeLast(4 + 1)
        // Before both counts, the generation and the flag: no terms.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 4
        #expect(EventRecord(bytes: old)?.events == [event])
        // No beacon.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 3
        #expect(EventRecord(bytes: old)?.events == [event])
        // No evidence.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 2
        #expect(EventRecord(bytes: old)?.events == [event])
        // And that there is no approach.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 1
        #expect(EventRecord(bytes: old)?.events == [event])
        #expect(EventRecord(bytes: record.bytes)?.events == [whole])
    }
}

/// What a later version writes has what this one writes, and more behind it.
@Suite("checkpoints and records of a later version")
struct LaterBytesTests {
    private let script: Script

    init() throws {
        var script = Script([try Script.circle("bridge", x: 0, radius: 200)])
        script.at(0, x: 0, speed: 20)
        script.at(1, x: 20, speed: 20)
        self.script = script
    }

    @Test("of a checkpoint what is known is read")
    func checkpoint() throws {
        let bytes = try #require(script.tracker.engine.checkpointBytes)
        let known = try #require(EngineCheckpoint(bytes: bytes))
        var later = bytes + [1, 2, 3, 4, 5]
        later[0] = bytes[0] + 1
        #expect(EngineCheckpoint(bytes: later) == known)
        // Of this version there is nothing behind.
        later[0] = bytes[0]
        #expect(EngineCheckpoint(bytes: later) == nil)
        for count in bytes.indices {
            var cut = Array(bytes.prefix(count))
            if count > 0 { cut[0] = 11 }
            #expect(EngineCheckpoint(bytes: cut) == nil)
        }
    }

    @Test("of a record, too: no event and no stay is lost, and kinds and reasons are passed on")
    func record() throws {
        let event = try #require(script.events.first)
        let stay = OpenStay(fence: "bridge", added: 1, began: event.time, dwellTold: true)
        var later = event
        later.kind = EventKind(rawValue: 99)
        later.reason = nil
        later.newerReason = "reason-77"
        var record = EventRecord(
            events: [event, later], opened: [stay], closed: ["b"], known: 1, positionLost: true)
        record.vehicle = VehicleRecord(
            trip: Trip(
                began: event.time, from: TripPlace(fence: "bridge"),
                way: StayWay(from: OdometerReading(), error: 5)))
        let bytes = ByteWriter.bytes { writer in
            record.bytes.withByteView { view in
                var reader = ByteReader(view)
                func copySection() {
                    guard let section = try? reader.readSection() else { return }
                    writer.writeSection { writer in
                        for byte in Array(section) + [7, 7, 7] { writer.write(byte) }
                    }
                }
                _ = try? reader.read(UInt32.self)
                writer.write(UInt32(11))
                for count: UInt32 in [2, 1] {
                    _ = try? reader.read(UInt32.self)
                    writer.write(count)
                    for _ in 0..<count { copySection() }
                }
                for byte in Array(reader.rest) + [9, 9] { writer.write(byte) }
            }
        }
        let read = try #require(EventRecord(bytes: bytes))
        #expect(read.bytes == record.bytes && read.events == record.events)
        #expect(read.events[1].reasonName == "reason-77")
    }

    @Test("a reason that is known by then is read from its number")
    func reason() throws {
        var event = try #require(script.events.first)
        event.setReason("reason-\(EventReason.expired.rawValue)")
        #expect(event.reason == .expired && event.newerReason == nil)
    }

    @Test("a kind that is not known has a name, and is found by it")
    func kind() {
        #expect(EventKind(name: "kind-77") == EventKind(rawValue: 77))
        for text in ["kind-1", "kind-077", "kind-0", "kind--5", "kind-4294967296", "kind-"] {
            #expect(EventKind(name: text) == nil)
        }
    }
}
