import FenceFiles
import FormatsTestKit
import Model
import Testing
import Time

/// The terms of a fence, in files.
struct TermsTests {
    private func fences(_ text: String) throws -> [Fence] {
        let reader = FenceFileReader(Array(text.utf8), name: "fences")
        var fences: [Fence] = []
        while let fence = try reader.next() { fences.append(fence) }
        return fences
    }

    private func feature(_ properties: String) -> String {
        #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[11,48]},"#
            + #""properties":{"radius":50,\#(properties)}}"#
    }

    @Test("every term is read from GeoJSON, and is not metadata")
    func geoJSON() throws {
        let fence = try #require(
            try fences(
                feature(
                    #""active":"Mo-Fr 08:00-18:00","timezone":"Europe/Berlin","#
                        + #""speed_limit_kmh":30,"speed_unit":"mph","stop_sec":20,"#
                        + #""max_stay_sec":3600,"arrive_sec":300,"expires":"2031-01-01T00:00:00Z","once":true"#
                )
            ).first)
        #expect(fence.terms.active == "Mo-Fr 08:00-18:00")
        #expect(fence.terms.timezone == "Europe/Berlin")
        #expect(fence.terms.speedLimit == 30 && fence.terms.speedUnit == "mph")
        #expect(fence.terms.stop == .seconds(20) && fence.terms.maxStay == .seconds(3600))
        #expect(fence.terms.arrive == .seconds(300))
        #expect(fence.terms.expires == "2031-01-01T00:00:00Z" && fence.terms.once)
        #expect(fence.metadata == "{}")
    }

    @Test("every term is read from CSV")
    func csv() throws {
        let fence = try #require(
            try fences(
                "id,latitude,longitude,radius,active,speed_limit_kmh,once\n"
                    + "1,48,11,50,\"Mo-Fr 08:00-12:00,13:00-17:00\",30,yes\n"
            ).first)
        #expect(fence.terms.active == "Mo-Fr 08:00-12:00,13:00-17:00")
        #expect(fence.terms.speedLimit == 30 && fence.terms.once)
    }

    @Test("a true flag of another program stands for always")
    func flag() throws {
        #expect(try fences(feature(#""active":true"#)).first?.hasTerms == false)
        #expect(
            try fences("id,latitude,longitude,radius,active\n1,48,11,50,True\n").first?.hasTerms
                == false)
        #expect(throws: FenceFileProblem.self) { try fences(feature(#""active":false"#)) }
    }

    @Test("an invalid schedule is refused with its position")
    func refused() throws {
        do {
            _ = try fences(feature(#""active":"Mo 08:00+""#))
            Issue.record("taken")
        } catch let problem as FenceFileProblem {
            #expect(problem.reason == "active, at character 9: an open end is not covered")
        }
    }
}
