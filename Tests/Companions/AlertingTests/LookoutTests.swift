import BusClient
import Foundation
import Geofence1
import Sentences
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Alerting

@MainActor
@Suite("What the driver hears when nothing watches")
struct LookoutTests {
    private static let began = Uptime.boot + .seconds(1000)
    private static let running = DaemonPresence.State.running
    private static let dead = DaemonPresence.State.noDaemon(since: .boot)
    private static let stopped = DaemonPresence.State.stopped(since: .boot)

    /// What the daemon says.
    /// - Parameters:
    ///   - fix: when the last one came, in seconds, and how fast it was, m/s; nil: there was none.
    private func status(
        _ position: String = "known", fix: (at: Double, speed: Double)? = nil,
        degraded: [String] = [], ignition: String = "unknown", wheels: String = "none",
        hasHazards: Bool = true, isResting: Bool = false, source: String = "gpsd://localhost"
    ) -> DaemonStatus {
        let vehicle: [(String, BusValue)] = [
            ("certainty", .string("confirmed")), ("hazards", .bool(hasHazards)),
        ]
        var status = DaemonStatus(properties: [
            "PositionState": .string(position), "Degraded": .strings(degraded),
            "Ignition": .string(ignition), "Wheels": .string(wheels), "Source": .string(source),
            "Resting": .bool(isResting), "Vehicle": .dictionary(vehicle),
        ])
        if let fix {
            let arrival = (Self.began + .seconds(fix.at)) - .boot
            status.position = ToldPosition(bus: [
                "latitude": .double(48), "longitude": .double(11), "time": .uint64(1),
                "monotonic": .uint64(UInt64(arrival.nanoseconds / 1000)),
                "speed_mps": .double(fix.speed),
            ])
        }
        return status
    }

    /// What is said when it is looked each second, or as often as the lookout asks for: `at` has what
    /// is so in that second.
    private func said(
        _ settings: SaySettings = SaySettings(), seconds: Int,
        _ at: (Double) -> (DaemonPresence.State, DaemonStatus)
    ) -> [String] {
        var lookout = Lookout(settings, hasHazards: false)
        return (0...seconds).compactMap { second in
            let (presence, status) = at(Double(second))
            let sight = Lookout.Sight(presence, .success(status))
            return lookout.look(sight, at: Self.began + .seconds(Double(second)))
                .map { "\(second) \($0)" }
        }
    }

    @Test("a daemon that has failed, once, and once that it is back; not one that was stopped")
    func daemon() {
        let fine = status()
        #expect(
            said(seconds: 400) { ($0 >= 10 && $0 < 300 ? Self.dead : Self.running, fine) }
                == ["30 notWatched", "310 watchedAgain"])
        #expect(said(seconds: 400) { ($0 >= 10 ? Self.stopped : Self.running, fine) } == [])
        #expect(said(seconds: 400) { ($0 >= 10 ? .starting : Self.running, fine) } == [])
        #expect(
            said(seconds: 100) { ($0 >= 10 && $0 < 25 ? Self.dead : Self.running, fine) } == [],
            "nothing is back that was not said to be gone")
    }

    @Test("never twice within ten minutes, and still when it lasts longer")
    func twice() {
        let fine = status()
        let flapping = said(seconds: 1500) {
            (Int($0) % 120 >= 60 ? Self.dead : Self.running, fine)
        }
        #expect(
            flapping.prefix(4) == [
                "80 notWatched", "130 watchedAgain", "680 notWatched", "730 watchedAgain",
            ], "\(flapping)")
        let again = said(seconds: 900) {
            ($0 < 60 || $0 >= 120 && $0 < 150 ? Self.running : Self.dead, fine)
        }
        #expect(again == ["80 notWatched", "130 watchedAgain", "680 notWatched"])
    }

    @Test(
        "a source or a catalogue that is gone for half a minute",
        arguments: ["source", "store-unreadable"])
    func source(_ word: String) {
        let (fine, bad) = (status(), status(degraded: ["journal", word]))
        #expect(
            said(seconds: 200) { (Self.running, $0 >= 10 && $0 < 100 ? bad : fine) }
                == ["40 notWatched", "110 watchedAgain"])
        #expect(said(seconds: 200) { (Self.running, $0 >= 10 && $0 < 35 ? bad : fine) } == [])
    }

    @Test("only where hazards are known, the ignition is not off, and the setting is on")
    func silent() {
        var off = SaySettings()
        off.unwatched = false
        func loss(_ status: DaemonStatus, _ settings: SaySettings = SaySettings()) -> [String] {
            said(settings, seconds: 900) { ($0 >= 10 ? Self.dead : Self.running, status) }
        }
        #expect(loss(status()) == ["30 notWatched"])
        #expect(loss(status(), off) == [])
        #expect(loss(status(hasHazards: false)) == [])
        #expect(loss(status(ignition: "off")) == [])
        #expect(loss(status(ignition: "on")) == ["30 notWatched"])
        // It is off, and the daemon hangs, without a word: while that matters, it is asked for.
        for (ignition, isAsked) in [("on", true), ("unknown", true), ("off", false)] {
            var lookout = Lookout(SaySettings(), hasHazards: false)
            let driving = Lookout.Sight(Self.running, .success(status(ignition: ignition)))
            #expect(lookout.look(driving, at: Self.began) == nil)
            #expect(lookout.next == (isAsked ? Self.began + .seconds(60) : nil), "\(ignition)")
        }
        // With the next trip it is said again; that it ended in between is nothing to whom heard none.
        let (on, parked) = (
            status(degraded: ["source"], ignition: "on"),
            status(degraded: ["source"], ignition: "off")
        )
        let trips = said(seconds: 1200) { second in
            (Self.running, second >= 60 && second < 800 ? parked : on)
        }
        #expect(trips == ["30 notWatched", "830 notWatched"])
    }

    @Test("a daemon that fails at each start, where the one before had known hazards")
    func kept() {
        var lookout = Lookout(SaySettings(), hasHazards: true)
        let nothing = Lookout.Sight(Self.dead, .success(DaemonStatus(properties: [:])))
        #expect(lookout.look(nothing, at: Self.began) == nil)
        #expect(lookout.look(nothing, at: Self.began + .seconds(20)) == .notWatched)
        // It is forgotten by one that knows where it is, and knows none.
        for (position, isKnown) in [("unknown", true), ("known", false)] {
            let none = Lookout.Sight(
                Self.running, .success(status(position, hasHazards: false)))
            #expect(lookout.look(none, at: Self.began + .seconds(30)) == nil)
            #expect(lookout.hasHazards == isKnown)
        }
    }

    @Test("no position for five minutes after one of a vehicle that drove, or while wheels turn")
    func position() {
        func lost(_ status: @escaping (Double) -> DaemonStatus) -> [String] {
            said(seconds: 1000) { (Self.running, $0 < 10 ? self.status() : status($0)) }
        }
        let driving = (at: 10.0, speed: 22.0), standing = (at: 10.0, speed: 2.9)
        #expect(lost { _ in status("lost", fix: driving) } == ["310 notWatched"])
        #expect(lost { _ in status("lost", fix: standing) } == [], "it has arrived")
        #expect(lost { _ in status("lost", fix: standing, wheels: "moving") } == ["310 notWatched"])
        #expect(lost { _ in status("unknown") } == [])
        #expect(lost { _ in status("unknown", wheels: "moving") } == ["310 notWatched"])
        // In the morning from a garage; and at lights in a town without any.
        for fix in [nil, standing] {
            #expect(
                lost { status("lost", fix: fix, wheels: $0 < 600 ? "standing" : "moving") }
                    == ["900 notWatched"])
            #expect(
                lost {
                    status("lost", fix: fix, wheels: Int($0) % 120 < 60 ? "moving" : "standing")
                } == ["360 notWatched"])
        }
        #expect(lost { _ in status("lost", fix: driving, isResting: true) } == [])
        #expect(lost { _ in status("lost", fix: driving, source: "replay:x.nmea") } == [])
        #expect(
            lost { $0 < 400 ? status("lost", fix: driving) : status() }
                == ["310 notWatched", "410 watchedAgain"])
        // It looks again when it is due.
        var lookout = Lookout(SaySettings(), hasHazards: false)
        let sight = Lookout.Sight(Self.running, .success(status("lost", fix: driving)))
        #expect(lookout.look(sight, at: Self.began + .seconds(280)) == nil)
        #expect(lookout.next == Self.began + .seconds(310))
    }

    @Test("17 km of tunnel at 80 km/h with the setting for it, and not without")
    func longTunnel() {
        let way = 17.0 / 80 * 3600
        var long = SaySettings()
        long.unwatchedAfter = .seconds(900)
        func tunnel(_ settings: SaySettings) -> [String] {
            said(settings, seconds: 1000) { second in
                let isInside = second >= 10 && second < 10 + way
                return (Self.running, isInside ? status("lost", fix: (10, 80 / 3.6)) : status())
            }
        }
        #expect(tunnel(long) == [])
        #expect(tunnel(SaySettings()) == ["310 notWatched", "785 watchedAgain"])
    }

    @Test(
        "nothing in the tunnels and at the stops of recorded drives",
        arguments: ["regensburg-drive", "munich-city", "antimeridian-drive", "rtk-10hz"])
    func recorded(_ name: String) throws {
        let traces = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../ReplayTests/Traces")
        let file = try #require(
            ["nmea.gz", "nmea"].map { traces.appending(path: "\(name).\($0)").path }
                .first { FileManager.default.fileExists(atPath: $0) })
        let text = try #require(Subprocess(["zcat", "-f", file]).wait()).output
        var fixes: [(at: Double, speed: Double)] = []
        var day = 0.0
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 8, fields[0].hasSuffix("RMC"), fields[2] == "A",
                let clock = Double(fields[1].prefix(6)), let knots = Double(fields[7])
            else { continue }
            let hours = (clock / 10_000).rounded(.down), minutes = (clock / 100).rounded(.down)
            let second = hours * 3600 + (minutes - hours * 100) * 60 + clock - minutes * 100
            if second + day + 43_200 < fixes.last?.at ?? 0 { day += 86_400 }
            fixes.append((second + day, knots * 0.514444))
        }
        let start = try #require(fixes.first).at
        let last = try #require(fixes.last).at
        let longest = zip(fixes, fixes.dropFirst()).map { $1.at - $0.at }.max() ?? 0
        #expect(longest > 1, "there is a hole in it")
        var next = 0
        let heard = said(seconds: Int(last - start)) { second in
            while next + 1 < fixes.count, fixes[next + 1].at - start <= second { next += 1 }
            let fix = (at: fixes[next].at - start, speed: fixes[next].speed)
            return (Self.running, status(second - fix.at > 30 ? "lost" : "known", fix: fix))
        }
        #expect(heard == [])
    }
}
