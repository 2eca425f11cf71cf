import Glibc
import JSON
import Model
import SystemTestKit
import Systemd
import Testing

extension DaemonTests {
    @MainActor
    @Suite(.serialized)
    struct Beacons {
        private static let uuid = BeaconUUID(high: 1, low: 2)
        /// The data of an iBeacon with that UUID, major 3, minor 4.
        private static let data: [UInt8] =
            [0x02, 0x15] + [UInt8](repeating: 0, count: 7) + [1]
            + [UInt8](repeating: 0, count: 7) + [2, 0, 3, 0, 4, 0xC5]

        let bench: DaemonBench
        let loop: EventLoop
        let bluez: FakeBlueZ

        init() throws {
            bench = try DaemonBench()
            loop = try EventLoop()
            bluez = FakeBlueZ(on: try #require(bench.bus), loop: loop)
            try bluez.start()
        }

        private static let dock = """
            {"type":"Feature","id":"dock","geometry":null,
            "properties":{"beacon":{"uuid":"\(uuid.text)"}}}
            """

        /// Sends an advertisement at each poll, until the condition holds.
        private func hear(until condition: () throws -> Bool) throws -> Bool {
            try loop.run(seconds: 20) {
                try? bluez.hear("dev_1", rssi: -70, apple: Self.data)
                return (try? condition()) ?? false
            }
        }

        @Test("a beacon that BlueZ hears is in the log, across a kill, until its fence is gone")
        func enters() throws {
            try bench.startAndWait()
            #expect(bench.property("BeaconReason") == #""no-regions""#)
            #expect(bluez.calls.isEmpty, "nobody asks")
            bench.writeFences(Self.dock, to: "yard.geojson")
            #expect(bench.waits(forFences: 1))
            #expect(try loop.run(seconds: 20) { bluez.monitors.count == 1 })
            #expect(try loop.run { bench.property("BeaconState") == #""passive""# })
            #expect(try hear { try !bench.events().isEmpty })
            let event = try #require(try bench.events().first)
            #expect(event.kind == "initial" && event.fence == "dock" && event.reason == "sighted")
            let proof = try bench.json("events").first?["beacon"]
            #expect(proof?["id"]?.string == "\(Self.uuid.text)/3/4")
            #expect(proof?["sightings"]?.integer == 2 && proof?["rssi_mean"]?.double == -70)
            bench.kill()
            #expect(try loop.run(seconds: 20) { bluez.monitors.isEmpty }, "the radio is left alone")
            bench.start()
            #expect(try loop.run(seconds: 60) { bluez.monitors.count == 1 })
            let beacon = try #require(try bench.json("beacon", "list").first)
            #expect(beacon["presence"]?.string == "inside" && beacon["uncertain"]?.bool == true)
            #expect(
                try hear { try bench.json("beacon", "list").first?["uncertain"]?.bool == false })
            unlink(bench.directory.file("fences.d/yard.geojson"))
            #expect(bench.waits(forFences: 0))
            #expect(try loop.run(seconds: 20) { bluez.monitors.isEmpty })
            let last = try #require(try bench.events().last)
            #expect(last.kind == "exit" && last.reason == "fence-removed")
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "a beacon that a driver carries names him when it comes, and when it goes he drives on")
        func key() throws {
            bench.directory.write("", to: "geofenced.conf")
            bench.writeFences(Self.dock, to: "yard.geojson")
            try bench.startAndWait()
            #expect(try loop.run(seconds: 20) { bluez.monitors.count == 1 })
            func driver() -> String? {
                let answer = try? bench.json("driver", "show").first
                return answer?["driver"]?.string.map { "\($0) \(answer?["source"]?.string ?? "")" }
            }
            #expect(try hear { try !bench.events().isEmpty })
            #expect(driver() == nil)
            bench.directory.write(
                "[Driver]\nBeacons=other=bob; dock=jane\n", to: "geofenced.conf")
            bench.daemon?.signal(SIGHUP)
            #expect(try loop.run(seconds: 20) { driver() == "jane beacon" })
            #expect(try bench.tool("driver", "set", "bob").status == 0)
            bench.kill()
            #expect(try loop.run(seconds: 20) { bluez.monitors.isEmpty })
            bench.start()
            #expect(try loop.run(seconds: 60) { bluez.monitors.count == 1 })
            #expect(
                try hear { try bench.json("beacon", "list").first?["uncertain"]?.bool == false })
            #expect(driver() == "bob call", "it has not come again")
            #expect(try bench.tool("beacon", "gone", "dock").status == 0)
            #expect(driver() == "bob call")
            #expect(try bench.tool("beacon", "here", "dock").status == 0)
            #expect(try loop.run(seconds: 20) { driver() == "jane beacon" })
            #expect(try bench.tool("beacon", "gone", "dock").status == 0)
            #expect(driver() == "jane beacon", "he drives on")
            #expect(try bench.stop().status == 0)
        }

        @Test("a bluetoothd that stops causes no exit, and is found again")
        func restart() throws {
            bench.writeFences(Self.dock, to: "yard.geojson")
            try bench.startAndWait()
            #expect(try loop.run(seconds: 20) { bluez.monitors.count == 1 })
            #expect(try hear { try !bench.events().isEmpty })
            bluez.stop()
            #expect(try loop.run(seconds: 20) { bench.property("BeaconReason") == #""no-bluez""# })
            #expect(bench.property("Degraded")?.contains("beacons") == true)
            try bluez.start()
            #expect(try loop.run(seconds: 20) { bluez.monitors.count == 1 })
            #expect(try loop.run { bench.property("BeaconState") == #""passive""# })
            #expect(try bench.events().count == 1)
        }

        @Test("16,000 devices that BlueZ remembers hide no adapter, and one that is new is heard")
        func crowd() throws {
            bluez.crowd = 16_000
            bench.writeFences(Self.dock, to: "yard.geojson")
            try bench.startAndWait()
            #expect(try loop.run(seconds: 30) { bluez.monitors.count == 1 })
            #expect(try loop.run { bench.property("BeaconState") == #""passive""# })
            #expect(bench.property("Degraded")?.contains("beacons") == false)
            #expect(try hear { try !bench.events().isEmpty })
            #expect(try bench.stop().status == 0)
        }

        @Test("a radio that the settings forbid is never used; presence by hand counts")
        func disabled() throws {
            bench.directory.write("[Beacons]\nEnabled=no\n", to: "geofenced.conf")
            bench.writeFences(Self.dock, to: "yard.geojson")
            try bench.startAndWait()
            #expect(try loop.run { bench.property("BeaconReason") == #""disabled""# })
            #expect(try bench.tool("beacon", "here", "dock").status == 0)
            #expect(try loop.run(seconds: 20) { (try? bench.events().last?.reason) == "manual" })
            #expect(bench.property("Degraded")?.contains("beacons") == false)
            #expect(bluez.calls.isEmpty)
            #expect(try bench.stop().status == 0)
        }

        @Test("ranging scans actively, and only while there is a session")
        func ranging() throws {
            try bench.startAndWait()
            let address = try #require(bench.bus?.address)
            let run = Subprocess(
                [builtProgram("geofencectl"), "--bus", address, "beacon", "range", Self.uuid.text])
            #expect(try loop.run(seconds: 20) { bluez.isDiscovering })
            #expect(try hear { run.outputSoFar.contains("\(Self.uuid.text)/3/4\t") })
            run.signal(9)
            #expect(try loop.run(seconds: 20) { !bluez.isDiscovering && bluez.monitors.isEmpty })
            #expect(try loop.run { bench.property("BeaconReason") == #""no-regions""# })
        }

        @Test("beacons of a file are replayed with a recorded drive, by the daemon and the tool")
        func replay() throws {
            // A minute of standing, with a beacon every second.
            let points = (0..<60).map {
                """
                <trkpt lat="48" lon="11"><time>2026-11-20T07:00:\($0 < 10 ? "0" : "")\($0)Z</time></trkpt>
                """
            }
            let track = bench.directory.file("drive.gpx")
            bench.directory.write(
                "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "drive.gpx")
            let digits = ([26, 0xFF, 0x4C, 0] + Self.data).map { byte in
                let text = String(byte, radix: 16)
                return text.count < 2 ? "0" + text : text
            }
            let lines = (0..<60).map {
                #"{"t":\#($0).5,"address":"C0:00:00:00:00:01","rssi":-70,"data":"\#(digits.joined())"}"#
            }
            let sightings = bench.directory.file("heard.jsonl")
            bench.directory.write(lines.joined(separator: "\n"), to: "heard.jsonl")
            bench.writeFences(Self.dock, to: "yard.geojson")
            let file = bench.directory.file("fences.d/yard.geojson")
            let tool = Subprocess([
                builtProgram("geofencectl"), "replay", track, "--fences", file, "--beacons",
                sightings, "--json",
            ])
            let ending = try #require(tool.wait(seconds: 60))
            let told = try ending.output.jsonLines.filter { $0["fence"]?.string == "dock" }
            #expect(told.map { $0["reason"]?.string } == ["sighted"], "\(ending.errors)")
            #expect(told[0]["beacon"]?["id"]?.string == "\(Self.uuid.text)/3/4")
            bench.source = "replay:\(track)?rate=0&beacons=\(sightings)"
            try bench.startAndWait()
            #expect(try loop.run(seconds: 20) { (try? bench.events().count) ?? 0 > 0 })
            let event = try #require(try bench.events().first { $0.fence == "dock" })
            #expect(event.reason == "sighted" && event.time == told[0]["time"]?.string)
            #expect(bluez.calls.isEmpty, "a recording needs no radio")
        }
    }
}
