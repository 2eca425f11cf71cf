import EngineTestKit
import Testing
import Time

@testable import Law
@testable import Model

@Suite("The due times of beacon regions")
struct BeaconDuesTests {
    private static let pauses = [0, 0.01, 0.5, 1, 1, 5, 40, 310]

    @Test(
        "are those that all regions give when each is asked, and what is decided is the same",
        arguments: 1...10 as ClosedRange<UInt64>)
    func same(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (kept, asked) = (
            BeaconLaw(settings: BeaconSettings()), BeaconLaw(settings: BeaconSettings())
        )
        var found: [BeaconFinding] = []
        let clock = BeaconClock()
        var now = Uptime.boot
        var hasPosition = true
        func both(_ change: (inout BeaconLaw) -> [BeaconFinding]) {
            asked.dues.forget()
            let told = change(&kept)
            #expect(told == change(&asked))
            found += told
            asked.dues.forget()
            #expect(
                kept.due(hasPosition: hasPosition) == asked.due(hasPosition: hasPosition))
            #expect(kept.memory == asked.memory)
        }
        let regions = Self.regions(&random)
        both { $0.monitor(regions, at: now, clock) }
        both { $0.listen(.listening, at: now, clock) }
        for _ in 0..<800 {
            now = now + .seconds(Self.pauses[random.integer(0..<Self.pauses.count)])
            both { $0.decide(at: now, hasPosition: hasPosition, clock) }
            let place = random.integer(0..<12)
            switch random.integer(0..<40) {
            case 0:
                let radio = RadioState.allCases.randomElement(using: &random) ?? .listening
                both { $0.listen(radio, at: now, clock) }
            case 1:
                hasPosition.toggle()
            case 2:
                let regions = regions.filter { _ in random.chance(0.9) }
                both { $0.monitor(regions, at: now, clock) }
            case 3:
                let presence = [Presence.inside, .outside, .unknown].randomElement(using: &random)
                let said = ManualPresence(
                    presence ?? .unknown, for: random.chance(0.5) ? .seconds(60) : nil)
                both { $0.state(said, of: "r\(place)", at: now, clock) }
            case 4...9:
                let way = Double(random.integer(0..<1_000))
                both {
                    $0.drive(way)
                    return []
                }
            case 10: both { $0.listen(.listening, at: now, clock) }
            default:
                let rssi = random.chance(0.8) ? -random.integer(40..<100) : nil
                let sighting = BeaconSighting(
                    .proximity(BeaconDrive.uuid, major: 0, minor: UInt16(place)), rssi: rssi)
                both { $0.hear(sighting, at: now, clock) }
            }
        }
        #expect(found.contains { $0.reason == .silent })
        #expect(found.contains { $0.kind == .enter })
        #expect(found.contains { $0.reason == .manual })
    }

    /// Ten of one beacon each, some with all conditions, and one that all of them belong to.
    private static func regions(_ random: inout SeededRandom) -> [BeaconRegion] {
        var regions = (0..<10).map { number in
            var region = BeaconDrive.region("r\(number)", minor: UInt16(number))
            region.rule.isCompanion = number < 4
            if number < 3 { region.rule.group = "trailers" }
            if random.chance(0.3) { region.rule.leastRSSI = -80 }
            if random.chance(0.3) { region.dwell = .seconds(90) }
            return region
        }
        regions.append(
            BeaconRegion(id: "yard", added: 1, pattern: .uuid(BeaconDrive.uuid)))
        return regions
    }
}
