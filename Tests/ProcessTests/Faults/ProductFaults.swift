import EngineTestKit
import Formats
import Foundation
import Geodesy
import Law
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Storage

extension DaemonTests {
    /// Inputs that multiply: a hazard and a route that meet as often as can be.
    @MainActor
    @Suite("faults: a hazard and a route")
    struct ProductFaults {
        private let bench: DaemonBench
        private let gpsd: GpsdStandIn
        private static let place = Coordinate(latitude: 48, longitude: 11)

        init() throws {
            bench = try DaemonBench()
            gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
        }

        /// What an older version has taken: hazards, and a route without a look at them.
        private func store(_ hazards: [Fence], along line: [Coordinate]?) throws {
            let now = EventLoop.uptime
            let store = try Store(
                directory: bench.state, bootID: try ServiceManager.bootID())
            let session = try store.beginImport(origin: .bus)
            for hazard in hazards { try session.add(hazard, added: nil) }
            _ = try session.finish(replacing: false)
            guard let line else { return }
            try store.log.setRoute(
                StoredRoute(
                    number: 5, name: "attack",
                    setAt: UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds), isKept: true,
                    positions: line.map(Route.rounded),
                    progress: RouteProgress(
                        number: 5, deadline: now + .seconds(40_000), drivenBefore: 0, asOf: now)))
        }

        private func file(_ line: [Coordinate]) -> String {
            let positions = line.map { "[\($0.longitude),\($0.latitude)]" }
            return bench.directory.write(
                #"{"type":"LineString","coordinates":["# + positions.joined(separator: ",") + "]}",
                to: "route.geojson")
        }

        /// A fix each 4 s of the receiver towards the bridge, from so many metres before it, at 5 m/s; each
        /// is judged before the next, which takes less than that everywhere: else time would run fast.
        private func drive(from east: Double, to end: Double) throws {
            var second = Int(Date().timeIntervalSince1970) - 3_000
            for at in stride(from: east, through: end, by: 20) {
                let place = Self.place.moved(by: abs(at), toward: at < 0 ? 270 : 90)
                second += 4
                let time = UTCTime(nanoseconds: Int64(second) * 1_000_000_000)
                gpsd.say(
                    #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time.iso8601)","#
                        + #""lat":\#(place.latitude),"lon":\#(place.longitude),"eph":5.0,"#
                        + #""speed":5.0,"track":90.0}"#)
                try #require(
                    bench.waits(forFixAt: Int64(second) * 1_000_000), "\(bench.errors)")
            }
        }

        private var told: [String] {
            get throws {
                try bench.events().compactMap { event in event.fence.map { "\(event.kind) \($0)" } }
            }
        }

        @Test(
            "both stored by an older version: driven past without a stop, told as without a route")
        func stored() throws {
            let hazard = try RouteAttack.hazard(ends: 2_000, sections: 500, at: Self.place)
            try store([hazard], along: RouteAttack.route(passes: 2_000, at: Self.place))
            bench.directory.write("[Vehicle]\nHeightM=4\n", to: "geofenced.conf")
            try bench.startAndWait()
            let daemon = try #require(bench.daemon?.pid)
            #expect(bench.property("RouteState") == "\"set\"")
            try gpsd.accept()
            try drive(from: -980, to: 100)
            #expect(
                try told == ["advisory attack", "urgent attack", "clear attack"], "\(bench.errors)")
            #expect(bench.daemon?.pid == daemon && !bench.hasEnded)
            // The height of the file has nobody confirmed.
            #expect(
                bench.property("Degraded") == "1 \"height-not-confirmed\"", "\(bench.errors)")
        }

        @Test(
            "such a route is refused by the name of a hazard, and one that runs there a few times not"
        )
        func refused() throws {
            let hazard = try RouteAttack.hazard(ends: 2_000, sections: 500, at: Self.place)
            try store([hazard], along: nil)
            bench.directory.write("[Vehicle]\nHeightM=4\n", to: "geofenced.conf")
            try bench.startAndWait()
            let refusal = try bench.tool(
                "route", "set", file(RouteAttack.route(passes: 2_000, at: Self.place)))
            #expect(refusal.status == 1 && refusal.errors.contains("past \"attack\""), "\(refusal)")
            #expect(bench.property("RouteState") == "\"none\"")
            let taken = try bench.tool(
                "route", "set", file(RouteAttack.route(passes: 2, at: Self.place)))
            #expect(taken.status == 0, "\(taken)")
            #expect(bench.property("RouteState") == "\"set\"")
            // Such a hazard is not taken any more.
            bench.directory.write(
                FenceFileWriter.feature(
                    try RouteAttack.hazard("new", ends: 200, sections: 57, at: Self.place)),
                to: "hazard.geojson")
            let imported = try bench.tool("import", bench.directory.file("hazard.geojson"))
            #expect(imported.status != 0, "\(imported)")
            #expect(
                imported.errors.contains("200 legs without next and 57 lines of the section"),
                "\(imported)")
        }
    }
}
