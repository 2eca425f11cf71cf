import Model
import SystemTestKit
import Systemd
import Testing

@testable import BeaconSource

@MainActor
@Suite("Many objects of BlueZ")
struct CrowdTests {
    @Test("16,000 devices hide no adapter, and the loop has its turns while they are read")
    func crowd() throws {
        let bench = try Bench()
        bench.bluez.crowd = 16_000
        var turns: Int?
        bench.bluez.onListed = { turns = 0 }
        bench.ask()
        #expect(
            try bench.loop.run(until: {
                turns? += 1
                return bench.source?.status.state == .passive
            }))
        #expect(try #require(turns) >= 5)
        #expect(bench.statuses.map(\.reason) == [.none, .none])
        try bench.bluez.hear("dev_new", rssi: -70, apple: Bench.data)
        #expect(try bench.loop.run(until: { bench.heard.count == 2 }))
    }

    @Test("an object that is larger than any device is passed over")
    func huge() throws {
        let bench = try Bench()
        bench.bluez.crowd = 3
        bench.bluez.services = 20_000
        bench.ask()
        #expect(try bench.reaches(.passive))
    }

    @Test("beyond the limit the state has a name, and BlueZ is asked again")
    func limit() throws {
        let bench = try Bench()
        bench.source?.settings.mostObjects = 100
        bench.bluez.crowd = 100
        bench.ask()
        #expect(try bench.reaches(.off, .tooManyObjects))
        bench.bluez.crowd = 99
        #expect(try bench.reaches(.passive))
    }

    @Test("an answer that is an error has a name, too")
    func refused() throws {
        let bench = try Bench()
        bench.bluez.listingError = BusError(name: BusError.failed, message: "not now")
        bench.ask()
        #expect(try bench.reaches(.off, .refused))
        bench.bluez.listingError = nil
        #expect(try bench.reaches(.passive))
    }

    @Test(
        "what signals tell while objects are read is newer than the list", arguments: [true, false])
    func outdated(_ isUnplugged: Bool) throws {
        let bench = try Bench()
        bench.bluez.crowd = 2_000
        bench.bluez.onListed = { [bluez = bench.bluez] in
            bluez.onListed = {}
            if isUnplugged { try bluez.unplug() } else { try bluez.setPowered(false) }
        }
        bench.ask()
        #expect(try bench.reaches(.off, isUnplugged ? .noAdapter : .poweredOff))
        #expect(bench.bluez.calls.isEmpty)
        if isUnplugged { try bench.bluez.plug() } else { try bench.bluez.setPowered(true) }
        #expect(try bench.reaches(.passive))
    }

    @Test("a bluetoothd that ends while its objects are read is found again")
    func restart() throws {
        let bench = try Bench()
        bench.bluez.crowd = 16_000
        var isListed = false
        bench.bluez.onListed = { isListed = true }
        bench.ask()
        #expect(try bench.loop.run(until: { isListed }))
        bench.bluez.stop()
        #expect(try bench.reaches(.off, .noBluez))
        try bench.bluez.start()
        #expect(try bench.reaches(.passive))
        #expect(bench.bluez.monitors.count == 1)
    }
}
