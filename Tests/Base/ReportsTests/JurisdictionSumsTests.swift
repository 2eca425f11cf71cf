import Bytes
import JSON
import Reports
import Testing

extension ExactText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

@Suite("How far in each jurisdiction") struct JurisdictionSumsTests {
    private typealias Reading = JurisdictionSums.Reading

    private static let areas: JurisdictionSums.Areas = [
        "state": .init(title: "State", size: 100), "county": .init(title: "", size: 10),
    ]

    private func driven(_ sums: JurisdictionSums) throws -> [String?: Double] {
        try Dictionary(
            Report.json.text(sums.sheet).split(separator: "\n").map {
                let row = try JSONValue(parsing: String($0))
                return (row["jurisdiction"]?.string, row["driven_m"]?.double ?? -1)
            }, uniquingKeysWith: +)
    }

    @Test("the smallest area counts, an event that is told late is where it happened")
    func smallest() throws {
        var sums = JurisdictionSums(of: Self.areas)
        sums.add(
            [
                Reading(metres: 100, counts: true, .entered("state")),
                Reading(metres: 700, counts: true, .left("county")),
                Reading(metres: 300, counts: true, .entered("county")),
                Reading(metres: 500, counts: true),
                Reading(metres: 800, counts: true, .left("elsewhere")),
            ], from: 0, now: (900, true))
        #expect(try driven(sums) == [nil: 100, "state": 400, "county": 400])
    }

    @Test("of what it leaves first it was inside from the beginning; of what it enters it was not")
    func beginning() throws {
        var sums = JurisdictionSums(of: Self.areas)
        sums.add(
            [
                Reading(metres: 50, counts: true),
                Reading(metres: 80, counts: true, .left("state")),
                Reading(metres: 90, counts: true, .entered("county")),
            ], from: nil, inside: ["county", "unknown"])
        // Nobody knows what was driven before the first reading.
        #expect(try driven(sums) == [nil: 10, "state": 30])
        sums.add([Reading(metres: 70, counts: true)], from: 20, inside: ["state"])
        #expect(try driven(sums) == [nil: 10, "state": 80])
    }

    @Test("what does not count is in no sum, and places the vehicle all the same")
    func part() throws {
        var sums = JurisdictionSums(of: Self.areas)
        sums.add(
            [
                Reading(metres: 100, counts: false, .entered("state")),
                Reading(metres: 150, counts: true),
                Reading(metres: 400, counts: false, .left("state")),
            ], from: 0, now: (300, true))
        // What the odometer shows at last is never less than it was.
        #expect(try driven(sums) == [nil: 0, "state": 50])
    }

    @Test("sums are the whole way, whatever is entered and left", arguments: 0..<50)
    func whole(_ seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var readings: [Reading] = []
        for _ in 0..<100 {
            let id = ["state", "county", "other"][random(3)]
            readings.append(
                Reading(
                    metres: Double(random(100_000)), counts: true,
                    [.entered(id), .left(id), nil][random(3)]))
        }
        var sums = JurisdictionSums(of: Self.areas)
        sums.add(readings, from: 0)
        let most = readings.map(\.metres).max() ?? 0
        #expect(try abs(driven(sums).values.reduce(0, +) - most) < 0.2)
    }
}
