import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("when a service it depends on fails")
    struct FaultTests {
        private let receiver: Receiver
        private let gpsd: Gpsd
        private let bench: DaemonBench

        init() throws {
            receiver = try Receiver()
            gpsd = try Gpsd(receiver: receiver)
            bench = try DaemonBench()
            bench.source = gpsd.uri
            bench.writeFences(
                "id,latitude,longitude,radius\nhere,48,11,500\nthere,48.1,11,500\n", to: "a.csv")
        }

        /// Sends one fix after another at the present time until the condition holds.
        private func drive(
            from latitude: Double = 48, until condition: () -> Bool
        ) throws -> Bool {
            var sent = 0
            return try waitUntil(seconds: 30) {
                if condition() { return true }
                try receiver.send([epoch(latitude: latitude + Double(sent % 2) * 0.00001)])
                sent += 1
                usleep(100_000)
                return false
            }
        }

        @Test(
            "gpsd later than the daemon, killed and started again: each time reported once, fixes come again"
        )
        func gpsdKilled() throws {
            try bench.startAndWait()
            #expect(waitUntil { bench.said("no fixes: ").count == 1 }, "\(bench.errors)")
            try gpsd.start()
            #expect(try drive { bench.property("LastSeq") == "1" })
            gpsd.kill()
            receiver.hangUp()
            #expect(waitUntil { bench.property("Degraded") == "1 \"source\"" })
            #expect(bench.property("State") == "\"degraded\"")
            #expect(try bench.tool("status").output.contains("degraded: source"))
            try gpsd.start()
            let before = bench.property("LastFixTimestamp")
            #expect(try drive { bench.property("LastFixTimestamp") != before }, "\(bench.errors)")
            #expect(bench.said("no fixes: ").count == 2, "\(bench.errors)")
            #expect(bench.said("fixes come from gpsd").count == 2)
            #expect(bench.property("State") == "\"running\"")
            #expect(bench.property("LastSeq") == "1")
            #expect(try bench.stop().status == 0)
        }

        @Test("a bus whose policy does not know the daemon yet: the name is owned once it does")
        func unknownToTheBus() throws {
            let bus = try #require(bench.bus)
            let talk = #"<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>"#
            bus.setPolicy(talk)
            try #require(waitUntil { bench.isRefused(by: bus) })
            bench.start()
            #expect(waitUntil { bench.said("cannot have the name").count == 1 }, "\(bench.errors)")
            bus.setPolicy(talk + #"<allow own="*"/>"#)
            #expect(waitUntil(seconds: 60) { bench.property("Version") != nil }, "\(bench.errors)")
            #expect(bench.said("cannot have the name").count == 1)
            #expect(bench.said("on the bus again").count == 1)
            #expect(try bench.stop().status == 0)
        }

        @Test("no bus at start, and the bus killed: the name is owned again, the events are there")
        func bus() throws {
            let bus = try #require(bench.bus)
            bus.kill()
            try gpsd.start()
            bench.start()
            #expect(waitUntil { bench.said("no bus: ").count == 1 }, "\(bench.errors)")
            #expect(try drive { bench.output.contains("initial") })
            bus.start()
            #expect(waitUntil { bench.property("LastSeq") == "1" }, "\(bench.errors)")
            #expect(try bench.events().map(\.crossing) == ["initial here"])
            #expect(bench.said("on the bus again").count == 1)

            bus.kill()
            #expect(waitUntil { bench.said("no bus: ").count == 2 })
            // Further away than possible: held, then reported, without a bus.
            #expect(try drive(from: 48.1) { bench.output.contains("exit") })
            bus.start()
            #expect(waitUntil { bench.property("LastSeq") == "3" }, "\(bench.errors)")
            #expect(
                try bench.events().map(\.crossing)
                    == ["initial here", "exit here", "enter there"])
            #expect(bench.property("State") == "\"running\"")
            #expect(try bench.stop().status == 0)
        }
    }

    @MainActor
    @Suite("with nothing to do", .needs(.tracing))
    struct QuietTests {
        @Test("one turn of the loop per fix, no others, and nothing written")
        func quiet() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            let bench = try DaemonBench(withBus: false)
            bench.source = gpsd.uri
            bench.writeFences("id,latitude,longitude,radius\nhere,48,11,500\n", to: "a.csv")
            let trace = bench.directory.file("trace")
            bench.wrapper = [
                "strace", "-qq", "-o", trace, "-e",
                "trace=epoll_wait,epoll_pwait,epoll_pwait2,write,pwrite64,writev,fsync,fdatasync",
                "--",
            ]
            func calls() throws -> [String] {
                try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
                    .map(String.init)
            }
            try gpsd.start()
            try gpsd.record()
            try bench.startAndWait()
            #expect(waitUntil { !bench.said("fixes come from gpsd").isEmpty })
            // The first fix is an event, and the second may be the last position on disk.
            for _ in 0..<10 { try receiver.send([epoch(latitude: 48)]) }
            #expect(waitUntil { bench.output.contains("initial") })
            #expect(waitUntil { gpsd.fixes >= 8 })
            #expect(try settles { try calls().count })
            let before = try calls().count
            let told = gpsd.reports
            for number in 0..<40 {
                try receiver.send([epoch(latitude: 48 + Double(number % 2) * 0.00001)])
                // What others do beside its directory of fences is no reason to wake up.
                bench.directory.write("", to: "beside-\(number)")
                usleep(100_000)
            }
            #expect(waitUntil { gpsd.fixes >= 45 })
            #expect(try settles { try calls().count })
            let since = try calls().dropFirst(before)
            let reports = gpsd.reports - told
            let waits = since.count { $0.hasPrefix("epoll") && !$0.hasSuffix("= 0") }
            #expect(waits >= 30, "\(since)")
            #expect(waits <= reports + 3, "\(waits) turns, \(reports) reports")
            #expect(since.count { !$0.hasPrefix("epoll") } == 0, "\(since)")
            bench.kill()
        }
    }
}

/// Whether `count` has stayed the same for a moment, within some seconds.
private func settles(_ count: () throws -> Int) rethrows -> Bool {
    var last = -1
    var same = 0
    return try waitUntil {
        let next = try count()
        same = next == last ? same + 1 : 0
        last = next
        usleep(20_000)
        return same >= 15
    }
}

extension DaemonBench {
    /// Whether no program may own the daemon's name on that bus.
    fileprivate func isRefused(by bus: PrivateBus) -> Bool {
        let call = bus.busctl(
            "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "RequestName", "su", "org.geofenced.Geofence1", "4")
        return call.wait().map { $0.status != 0 } ?? false
    }
}
