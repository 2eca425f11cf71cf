import JSON
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite("geofenced-map", .serialized)
struct MapTests {
    /// Runs the daemon's loop until the client has what is wanted.
    private func wait(
        _ bench: MapBench, _ client: RawClient, until isEnough: (RawClient) -> Bool
    ) throws {
        let isThere = try bench.daemon.loop.run {
            client.read()
            return isEnough(client)
        }
        #expect(isThere, "\(client.body.suffix(500))")
    }

    @Test("the stream says what is, then each event with its number, and the position beside it")
    func stream() throws {
        let bench = try MapBench()
        try bench.daemon.add("yard", east: 300, title: "<b>")
        try bench.startMap()
        let client = try bench.client()
        client.ask("/v1/live")
        try wait(bench, client) { $0.events.contains { $0.name == "state" } }
        #expect(client.status == "200")
        #expect(client.events.first?.name == "hello")
        bench.daemon.drive(from: 0, to: 600)
        try wait(bench, client) { $0.numbers == [1, 2] }
        let first = try #require(client.events.first { $0.name == "event" })
        let event = try JSONValue(parsing: first.data)
        #expect(event["kind"]?.string == "enter" && event["fence"]?.string == "yard")
        #expect(event["latitude"] != nil, "a trusted caller sees where")
        try wait(bench, client) { $0.events.contains { $0.name == "position" } }
        // A sign of life each second, also where nothing happens.
        try wait(bench, client) { client in
            client.events.last { $0.name == "alive" }?.data.contains("\"daemon\":\"answers\"")
                == true
        }
        try wait(bench, client) { client in
            client.events.last { $0.name == "window" }?.data.contains("\"id\":\"yard\"") == true
        }
    }

    @Test("the stream lists the beacons that the vehicle is inside, and when it leaves them")
    func beacons() throws {
        let bench = try MapBench()
        let monitoring = bench.daemon.monitoring
        let rule = BeaconRule(.uuid(BeaconUUID(high: 1, low: 2)))
        let fence = Fence(id: "dock", subject: .beacons(rule), title: "Dock 7")
        _ = try monitoring.apply(upserts: [fence], removing: [], at: EventLoop.uptime)
        monitoring.radioChanged(to: BeaconRadioStatus(.passive), at: EventLoop.uptime)
        try bench.startMap()
        let client = try bench.client()
        client.ask("/v1/live")
        let last = { (client: RawClient) in client.events.last { $0.name == "beacons" }?.data }
        try wait(bench, client) { last($0) == #"{"inside":[]}"# }
        try monitoring.statePresence(.inside, of: "dock", at: EventLoop.uptime)
        try wait(bench, client) { last($0)?.contains(#""title":"Dock 7""#) == true }
        try monitoring.statePresence(.outside, of: "dock", at: EventLoop.uptime)
        try wait(bench, client) { last($0) == #"{"inside":[]}"# }
    }

    @Test("a viewer that comes back goes on after its last event: none is lost, none comes twice")
    func resumption() throws {
        let bench = try MapBench()
        for index in 0..<5 { try bench.daemon.add("f\(index)", east: Double(index) * 400) }
        try bench.startMap()
        bench.daemon.drive(from: -200, to: 1000)
        let one = try bench.client()
        one.ask("/v1/live", ["Last-Event-ID: 0"])
        try wait(bench, one) { $0.numbers.count >= 5 }
        let last = try #require(one.numbers.last)
        bench.stopMap()
        bench.daemon.drive(from: 1020, to: 2400)
        try bench.startMap()
        let other = try bench.client()
        other.ask("/v1/live", ["Last-Event-ID: \(last)"])
        try wait(bench, other) { $0.numbers.last == 10 }
        #expect(one.numbers + other.numbers == Array(1...10))
    }

    @Test("a viewer hears that the daemon has gone, and that it is back")
    func absence() throws {
        let bench = try MapBench()
        try bench.startMap()
        let client = try bench.client()
        client.ask("/v1/live")
        try wait(bench, client) { $0.events.contains { $0.name == "hello" } }
        bench.daemon.leave()
        try wait(bench, client) { $0.events.last?.data == #"{"state":"absent"}"# }
        try bench.daemon.serve()
        try wait(bench, client) { client in
            client.events.last { $0.name == "state" }?.data.contains("running") == true
        }
    }

    @Test("the fences of a view come whole, or counted where they are too many")
    func fences() throws {
        let bench = try MapBench()
        for index in 0..<8 { try bench.daemon.add("f\(index)", east: Double(index) * 400) }
        try bench.startMap()
        let all = try bench.json("/v1/fences?within=10.9,47.9,11.2,48.1")
        #expect(all["features"]?.array?.count == 8)
        #expect(all["total"]?.integer == 8)
        let some = try bench.json("/v1/fences?within=10.99,47.9,11.004,48.1")
        #expect(some["features"]?.array?.count == 1)
        let counted = try bench.json("/v1/fences?within=10.9,47.9,11.2,48.1&max=5")
        #expect(counted["features"]?.array?.isEmpty == true)
        #expect(counted["cells"]?["counts"]?.array?.count == 64 * 40)
        #expect(counted["cells"]?["counts"]?.array?.compactMap(\.integer).reduce(0, +) == 8)
        #expect(try bench.json("/v1/fences/f3")["feature"]?["id"]?.string == "f3")
        #expect(try bench.get("/v1/fences/none").status == "404")
        try bench.daemon.add("\u{301}x", east: 9000)
        let accent = try bench.json("/v1/fences/%CC%81x")
        #expect(accent["feature"]?["id"]?.string == "\u{301}x")
        #expect(try bench.get("/v1/fences?within=1,2").status == "400")
    }

    @Test("a limit says whether the vehicle fits, and viewers are notified of a change")
    func fit() throws {
        let bench = try MapBench()
        let file = bench.daemon.directory.write(AlertBench.fences, to: "bridge.geojson")
        #expect(try bench.daemon.run("import", file).status == 0)
        try bench.startMap()
        let client = try bench.client()
        client.ask("/v1/live")
        try wait(bench, client) { $0.events.contains { $0.name == "state" } }
        let view = "/v1/fences?within=10.9,47.9,11.2,48.1"
        #expect(try bench.json(view)["features"]?[0]?["fit"]?.string == "breaks")
        #expect(try bench.daemon.run("vehicle", "set", "--height", "3.5m").status == 0)
        try wait(bench, client) { $0.events.contains { $0.name == "fences" } }
        #expect(try bench.json(view)["features"]?[0]?["fit"]?.string == "fits")
        #expect(try bench.json("/v1/fences/osm-w1")["feature"]?["fit"]?.string == "fits")
    }

    @Test("state and events are those of geofencectl")
    func state() throws {
        let bench = try MapBench()
        try bench.daemon.add("yard", east: 300)
        bench.daemon.drive(from: 0, to: 600)
        try bench.startMap()
        let state = try bench.json("/v1/state")
        let status = try #require(try bench.daemon.json("status").first)
        #expect(state["last_seq"] == status["last_seq"] && state["fix"] == status["fix"])
        #expect(state["window"]?.array?.count == 1)
        let page = try bench.json("/v1/events?after=1")
        let events = try bench.daemon.json("events")
        #expect(page["events"]?.array == Array(events.dropFirst()))
        #expect(page["next"]?.integer == 2)
    }

    @Test("its metrics are those of geofencectl, also of a daemon that has gone")
    func metrics() throws {
        let bench = try MapBench()
        try bench.daemon.add("yard", east: 300)
        bench.daemon.drive(from: 0, to: 600)
        try bench.startMap()
        let answer = try bench.get("/metrics")
        #expect(answer.status == "200")
        #expect(answer.body == (try bench.daemon.run("metrics").output))
        bench.daemon.leave()
        let gone = try bench.get("/metrics").body.split(separator: "\n").last
        #expect(gone == "geofenced_up 0")
    }

    @Test("it refuses other hosts, other pages and other methods")
    func refusals() throws {
        let bench = try MapBench()
        try bench.startMap()
        #expect(try bench.get("/v1/state", "Sec-Fetch-Site: cross-site").status == "403")
        #expect(try bench.get("/v1/state", "Host: evil.example").status == "400")
        #expect(try bench.get("/nothing").status == "404")
        #expect(try bench.get("/v1/live", "Last-Event-ID: x").status == "400")
    }

    @Test("it ends when nobody looks, and not while somebody does")
    func idle() throws {
        let bench = try MapBench()
        try bench.startMap("--idle", "1")
        let client = try bench.client()
        client.ask("/v1/live")
        try wait(bench, client) { $0.events.count >= 2 }
        #expect(bench.map?.hasEnded == false)
        let before = client.events.count
        try bench.daemon.add("new", east: 300)
        try wait(bench, client) { $0.events.count > before }
        #expect(bench.map?.hasEnded == false)
    }

    @Test("after the last has left it ends by itself, in order")
    func ending() throws {
        let bench = try MapBench()
        try bench.startMap("--idle", "1")
        let map = try #require(bench.map)
        let ending = try bench.daemon.loop.run(untilEndOf: map)
        #expect(ending?.status == 0, "\(ending?.errors ?? "")")
    }
}
