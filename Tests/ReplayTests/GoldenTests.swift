import EngineTestKit
import Formats
import Foundation
import Law
import Model
import SystemTestKit
import Testing
import Time
import geofencectl

/// To rewrite the expectations after a change of the law: Tests/ReplayTests/rewrite-golden.
@Suite struct GoldenTests {
    @Test("a recorded drive gives the reviewed events", arguments: Trace.all)
    func library(_ trace: Trace) throws {
        let (events, summary) = try trace.replay()
        let lines =
            events.map(EventJSON.line) + [
                ReplayReport.json(summary, fences: try trace.memoryStore().count)
            ]
        let expected = try String(contentsOfFile: trace.expectation, encoding: .utf8)
        #expect(String(decoding: lines.joined(), as: UTF8.self) == expected)
    }

    @Test("the program prints the reviewed bytes", arguments: Trace.all)
    func program(_ trace: Trace) throws {
        let run = Subprocess([
            builtProgram("geofencectl"), "replay", trace.track, "--fences", trace.fences, "--json",
        ])
        let ending = try #require(run.wait())
        let expected = try String(contentsOfFile: trace.expectation, encoding: .utf8)
        #expect(ending.output == expected)
        // A recording without usable fixes is a failure.
        let isUseful = try trace.replay().summary.fixes.accepted > 0
        #expect(ending.status == (isUseful ? 0 : 1))
        #expect(ending.errors.contains("could be used") == !isUseful)
    }

    @Test("every trace names its origin", arguments: Trace.all)
    func provenance(_ trace: Trace) throws {
        let header = try String(contentsOfFile: trace.header, encoding: .utf8)
        for word in ["From: ", "Licence: "] { #expect(header.contains(word)) }
    }

    @Test("a window of two regions gives the same events", arguments: Trace.all)
    func smallWindow(_ trace: Trace) throws {
        let (events, _) = try trace.replay(window: 2)
        #expect(events == (try trace.replay().events))
    }
}

@Suite struct TraceTests {
    @Test("no trace is missing its partners")
    func complete() {
        #expect(Trace.all.count >= 14)
    }

    @Test("openings and exits of every fence alternate", arguments: Trace.all)
    func alternation(_ trace: Trace) throws {
        var inside: Set<String> = []
        for logged in try trace.replay().events {
            guard let fence = logged.event.fence else { continue }
            switch logged.event.kind {
            case .enter, .initial: #expect(inside.insert(fence).inserted, "\(logged)")
            case .exit: #expect(inside.remove(fence) != nil, "\(logged)")
            case .dwell: #expect(inside.contains(fence), "\(logged)")
            default: break
            }
        }
    }

    @Test("a drive gives the same crossings through gpsd and from its NMEA")
    func sameThroughGpsd() throws {
        let direct = try Trace.named("regensburg-drive").replay().events.map(\.event)
        let through = try Trace.named("regensburg-drive-gpsd").replay().events.map(\.event)
        #expect(
            direct.map { [$0.kind.name, $0.fence] } == through.map { [$0.kind.name, $0.fence] })
        // gpsd moves the date by 1024 weeks; it writes positions with fewer digits.
        let rollover = TimeSpan.seconds(1024 * 7 * 86_400)
        for (a, b) in zip(direct, through) {
            #expect(abs((b.time - a.time - rollover).seconds) < 0.005, "\(a) \(b)")
        }
    }

    @Test("a rectangle on the antimeridian is the same however it is written")
    func antimeridian() throws {
        let events = try Trace.named("antimeridian-drive").replay().events
        let ways = ["both-sides", "both-sides-cut", "both-sides-step"].map { id in
            events.filter { $0.event.fence == id }.map { "\($0.event.kind) \($0.event.time)" }
        }
        #expect(ways[0].count == 2)
        #expect(ways[1] == ways[0])
        #expect(ways[2] == ways[0])
    }

    @Test("a void RMC makes the whole epoch no fix")
    func voidRMC() throws {
        let summary = try Trace.named("silvretta-void-rmc").replay().summary
        #expect(summary.fixes.accepted == 0)
        #expect(summary.fixes[.noFix] == summary.reports)
    }

    @Test("a parked vehicle enters once and never leaves")
    func parked() throws {
        let summary = try Trace.named("amsterdam-parked").replay().summary
        #expect(summary.fixes.accepted > 1000)
        #expect(summary.events[.exit] == nil)
    }
}
