import Foundation
import JSON
import SystemTestKit
import Testing

/// Events that are no hazards, from the real daemon to the words.
@MainActor
@Suite("What geofenced-alert says besides hazards", .serialized)
struct AlertNoticeTests {
    /// Circles of 120 m on the road, at these metres of it, with these properties.
    private static func fences(_ places: [(id: String, metres: Double, properties: String)])
        -> String
    {
        let features = places.map { id, metres, properties in
            """
            {"type":"Feature","id":"\(id)","geometry":{"type":"Point","coordinates":\
            [\(11 + metres / 74_628),48]},"properties":{"radius":120,"title":"\(id)"\(properties)}}
            """
        }
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    private static let road = fences([
        ("Depot", 400, #","say":"enter""#), ("Silent", 690, ""),
        ("Works", 1000, #","speed_limit_kmh":50"#),
        ("Quiet", 1500, #","speed_limit_kmh":50,"say":"none""#),
        ("Gate", 2000, #","say":["exit"]"#),
    ])

    private func lines(_ bench: AlertBench) -> [String] {
        bench.alert?.outputSoFar.split(separator: "\n").map(String.init) ?? []
    }

    /// To these metres, waiting at each until as many lines were written: in a recording that comes
    /// faster than time passes, what was known seconds ago is late.
    private func drive(_ bench: AlertBench, _ stretches: [(metres: Double, lines: Int)]) throws {
        var from = 0.0
        for (metres, count) in stretches {
            try bench.drive(from: from, to: metres)
            try #require(waitUntil { lines(bench).count == count }, "\(bench.said)")
            from = metres + 20
        }
    }

    @Test(
        "an entry that asks for it, an excess of speed, and nothing else; after a restart nothing again"
    )
    func drive() throws {
        let bench = try AlertBench(configuration: "[Driver]\nLanguage=en\n", fences: Self.road)
        try bench.startAlert()
        try drive(bench, [(420, 1), (1100, 2), (2220, 3)])
        #expect(
            lines(bench) == [
                "enter Depot: Entered Depot.",
                "overspeed Works: Too fast. The limit is 50 km/h.",
                "exit Gate: Left Gate.",
            ])
        let all = try #require(Int64(exactly: try bench.kinds().count))
        #expect(waitUntil { (try? bench.acknowledged()) == all }, "\(bench.said)")
        #expect(
            bench.spoken == [
                "Entered Depot.", "Too fast. The limit is 50 kilometres per hour.", "Left Gate.",
            ], "\(bench.said)")
        try bench.startAlert()
        try bench.startDaemon()
        try bench.drive(from: 2240, to: 2320)
        #expect(waitUntil { (try? bench.acknowledged()) == all }, "\(bench.said)")
        #expect(bench.spoken.count == 3, "\(bench.said)")
    }

    @Test("in quiet hours they are written and shown, and not said")
    func quiet() throws {
        let bench = try AlertBench(
            configuration: "[Driver]\nTimeZone=UTC\n[Say]\nKinds=exit\nQuietHours=00:00-24:00\n",
            fences: Self.road)
        try bench.startAlert()
        try drive(bench, [(420, 1), (900, 2), (1220, 3), (2220, 4)])
        #expect(
            lines(bench).map { String($0.prefix { $0 != ":" }) } == [
                "enter Depot", "exit Silent", "exit Works", "exit Gate",
            ])
        #expect(bench.heard.isEmpty, "\(bench.said)")
    }

    @Test("the real espeak-ng speaks the line in the driver's language")
    func espeak() throws {
        try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/espeak-ng"))
        let bench = try AlertBench(configuration: "[Driver]\nLanguage=de\n", fences: Self.road)
        let wave = bench.file("line.wav")
        try bench.startAlert("--speak", "/usr/bin/espeak-ng -v de -w \(wave)", "--tone", "off")
        try bench.drive(from: 0, to: 500)
        let size = { (try? FileManager.default.attributesOfItem(atPath: wave)[.size] as? Int) ?? 0 }
        // 22,050 samples a second, of 2 bytes: a second at least.
        #expect(waitUntil { size() > 44_100 }, "\(size()) bytes; \(bench.said)")
        #expect(lines(bench) == ["enter Depot: Entered Depot."])
    }
}
