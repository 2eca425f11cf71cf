import Model
import Testing
import Time

@testable import Monitoring

@Suite("Beacons that are near")
struct BeaconRangeTests {
    private static let uuid = BeaconUUID(high: 1, low: 2)
    private static let start = Uptime(nanoseconds: 1_000_000_000)

    private static func sighting(
        _ minor: UInt16, rssi: Int? = -59, power: Int? = -59
    ) -> BeaconSighting {
        BeaconSighting(
            .proximity(uuid, major: 0, minor: minor), rssi: rssi, measuredPower: power)
    }

    /// Hears a beacon that many times, a second apart; the last time at the end.
    private func heard(
        _ sighting: BeaconSighting, times: Int = 3
    ) -> (range: BeaconRange, now: Uptime) {
        var range = BeaconRange([.uuid(Self.uuid)])
        var now = Self.start
        for _ in 0..<times {
            now = now + .seconds(1)
            _ = range.hear(sighting, at: now)
        }
        return (range, now)
    }

    @Test(
        "the proximity follows from the power that the beacon states",
        arguments: [
            (-40, BeaconProximity.immediate, 0.1122), (-59, .near, 1), (-70, .near, 3.548),
            (-72, .far, 4.467), (-99, .far, 100),
        ])
    func proximity(_ rssi: Int, _ proximity: BeaconProximity, _ distance: Double) throws {
        var (range, now) = heard(Self.sighting(1, rssi: rssi))
        let beacon = try #require(range.beacons(at: now).first)
        #expect(beacon.proximity == proximity && beacon.rssi == rssi)
        #expect(((beacon.distance ?? 0) - distance).magnitude < 0.001 * distance)
        #expect(beacon.lastSeen == now)
    }

    @Test("unknown before the third sighting, and 5 s after the last; gone after 10 s")
    func times() throws {
        var (few, early) = heard(Self.sighting(1), times: 2)
        #expect(few.beacons(at: early).map(\.proximity) == [.unknown])
        var (range, now) = heard(Self.sighting(1))
        #expect(range.beacons(at: now + .seconds(5)).map(\.proximity) == [.near])
        #expect(range.beacons(at: now + .seconds(5.1)).map(\.proximity) == [.unknown])
        #expect(range.beacons(at: now + .seconds(10)).count == 1)
        #expect(range.beacons(at: now + .seconds(10.1)).isEmpty)
    }

    @Test(
        "no distance without an RSSI, or with an implausible power",
        arguments: [(nil, -59), (-59, nil), (-59, 0), (-59, -101)] as [(Int?, Int?)])
    func unknown(_ rssi: Int?, _ power: Int?) throws {
        var (range, now) = heard(Self.sighting(1, rssi: rssi, power: power))
        let beacon = try #require(range.beacons(at: now).first)
        #expect(beacon.distance == nil && beacon.proximity == .unknown)
        #expect(beacon.level == rssi.map(Double.init))
    }

    @Test("the level follows with a time constant of 5 s")
    func level() throws {
        var (range, now) = heard(Self.sighting(1, rssi: -60))
        now = now + .seconds(5)
        _ = range.hear(Self.sighting(1, rssi: -40), at: now)
        #expect(range.beacons(at: now).first?.level == -50)
        #expect(range.beacons(at: now).first?.rssi == -40)
    }

    @Test("the nearest first, at most 64, and only beacons that match the patterns")
    func list() {
        var range = BeaconRange([.uuid(Self.uuid)])
        let now = Self.start
        for minor in 0..<100 as Range<UInt16> {
            let isOurs = range.hear(Self.sighting(minor, rssi: -20 - Int(minor)), at: now)
            #expect(isOurs)
        }
        let other = BeaconSighting(
            .proximity(BeaconUUID(high: 0, low: 0), major: 0, minor: 0), rssi: -30)
        let isOurs = range.hear(other, at: now)
        #expect(!isOurs)
        let minors = range.beacons(at: now).map { beacon in
            beacon.identity.text.split(separator: "/").last.flatMap { UInt16($0) }
        }
        #expect(minors == (0..<64).map { $0 })
    }
}
