import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import BeaconSource

@MainActor
@Suite("A source of beacons")
struct BeaconSourceTests {
    @Test("uses BlueZ only while there is a demand")
    func nobody() throws {
        let bench = try Bench()
        #expect(bench.source?.status == BeaconRadioStatus(.off, .noRegions))
        bench.ask()
        #expect(try bench.reaches(.passive))
        #expect(bench.bluez.calls == ["RegisterMonitor"])
        #expect(bench.bluez.monitors.count == 1)
        bench.source?.ask(for: BeaconDemand())
        #expect(bench.source?.status == BeaconRadioStatus(.off, .noRegions))
        #expect(try bench.loop.run(until: { bench.bluez.monitors.isEmpty }))
    }

    @Test("listens in the background: the strength of a new device, then presence alone")
    func passive() throws {
        let bench = try Bench()
        bench.ask()
        #expect(try bench.reaches(.passive))
        try bench.bluez.hear("dev_1", rssi: -70, apple: Bench.data)
        #expect(try bench.loop.run(until: { bench.heard.count >= 2 }))
        #expect(bench.heard.map(\.rssi) == [-70, nil])
        #expect(Set(bench.heard.map(\.identity.text)).count == 1)
        #expect(bench.heard[0].identity.text.hasSuffix("/3/4"))
        try bench.bluez.hear("dev_1", rssi: -50, apple: Bench.data)
        #expect(try bench.loop.run(until: { bench.heard.count >= 3 }))
        #expect(bench.heard.map(\.rssi) == [-70, nil, nil])
    }

    @Test("ranges with an additional discovery and all strengths, and returns to passive scanning")
    func active() throws {
        let bench = try Bench()
        bench.ask(isActive: true)
        #expect(try bench.reaches(.ranging))
        #expect(bench.bluez.calls == ["RegisterMonitor", "SetDiscoveryFilter", "StartDiscovery"])
        #expect(bench.bluez.filter["Transport"]?.asString == "le")
        #expect(bench.bluez.filter["DuplicateData"]?.asBool == true)
        #expect(bench.bluez.filter["RSSI"]?.asInt64 == -127)
        for rssi in [-70, -60, -60] as [Int16] {
            try bench.bluez.hear("dev_1", rssi: rssi, apple: Bench.data)
        }
        #expect(
            try bench.loop.run(until: {
                bench.heard.compactMap(\.rssi) == [-70, -60, -60]
            }))
        bench.ask()
        #expect(try bench.reaches(.passive))
        #expect(bench.bluez.calls.last == "StopDiscovery")
        #expect(bench.bluez.monitors.count == 1)
    }

    @Test("without monitors listens now and then")
    func limited() throws {
        let bench = try Bench(isExperimental: false)
        bench.ask()
        #expect(try bench.reaches(.limited))
        #expect(bench.bluez.calls == ["SetDiscoveryFilter", "StartDiscovery"])
    }

    @Test("without monitors hears a beacon twice, although the controller filters duplicates")
    func duplicates() throws {
        let bench = try Bench(isExperimental: false)
        bench.source?.settings.limitedRound = .milliseconds(50)
        bench.ask()
        #expect(try bench.reaches(.limited))
        #expect(
            try bench.loop.run(until: {
                try? bench.bluez.hear("dev_1", rssi: -70, apple: Bench.data)
                return bench.bluez.calls.filter { $0 == "StopDiscovery" }.count == 2
            }))
        #expect(bench.heard.map(\.rssi) == [-70, -70])
        // Rounds follow each other while every sighting is wanted.
        bench.ask(isActive: true)
        #expect(
            try bench.loop.run(until: {
                bench.bluez.calls.filter { $0 == "StartDiscovery" }.count == 5
            }))
    }

    @Test("waits for power, and registers nothing twice")
    func power() throws {
        let bench = try Bench()
        bench.ask(isActive: true)
        #expect(try bench.reaches(.ranging))
        try bench.bluez.setPowered(false)
        #expect(try bench.reaches(.off, .poweredOff))
        try bench.bluez.setPowered(true)
        #expect(try bench.reaches(.ranging))
        #expect(bench.bluez.calls.filter { $0 == "RegisterMonitor" }.count == 1)
        #expect(bench.bluez.calls.filter { $0 == "StartDiscovery" }.count == 2)
    }

    @Test("finds an adapter that was unplugged, and one that was never there")
    func plug() throws {
        let bench = try Bench(isPlugged: false)
        bench.ask()
        #expect(try bench.reaches(.off, .noAdapter))
        for _ in 0..<2 {
            try bench.bluez.plug()
            #expect(try bench.reaches(.passive))
            #expect(try bench.loop.run(until: { bench.bluez.monitors.count == 1 }))
            try bench.bluez.unplug()
            #expect(try bench.reaches(.off, .noAdapter))
        }
    }

    @Test("registers again with a bluetoothd that was restarted")
    func restart() throws {
        let bench = try Bench()
        bench.ask()
        #expect(try bench.reaches(.passive))
        bench.bluez.stop()
        #expect(try bench.reaches(.off, .noBluez))
        try bench.bluez.start()
        #expect(try bench.reaches(.passive))
        #expect(bench.bluez.monitors.count == 1)
    }

    @Test("registers monitors again that BlueZ has released")
    func released() throws {
        let bench = try Bench()
        bench.ask()
        #expect(try bench.reaches(.passive))
        try bench.bluez.release()
        #expect(try bench.loop.run(until: { bench.bluez.calls.count == 2 }))
        #expect(try bench.reaches(.passive))
        #expect(bench.bluez.monitors.count == 1)
    }

    @Test("registers other patterns when the demand changes")
    func patterns() throws {
        let bench = try Bench()
        bench.ask()
        #expect(try bench.reaches(.passive))
        let before = bench.bluez.monitors.map(\.patterns)
        var demand = BeaconDemand()
        demand.patterns = [.uuid(BeaconUUID(high: 3, low: 4))]
        bench.source?.ask(for: demand)
        #expect(
            try bench.loop.run(until: {
                bench.bluez.monitors.count == 1 && bench.bluez.monitors.map(\.patterns) != before
            }))
        #expect(
            bench.bluez.calls == ["RegisterMonitor", "UnregisterMonitor", "RegisterMonitor"])
    }
}
