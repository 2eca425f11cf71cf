import EngineTestKit
import Formats
import Foundation
import Geodesy
import JSON
import Model
import Testing
import Time

@Suite("hazards with an approach in GeoJSON")
struct ApproachTests {
    private static let corpus = repository("Tests/Fuzzing/Corpus/fences/approach")

    private static func text() throws -> String {
        String(decoding: try Data(contentsOf: corpus), as: UTF8.self)
    }

    @Test("a tree and a cone are read as they are written")
    func read() throws {
        let content = FileContent(try Self.text())
        #expect(content.messages.isEmpty)
        let tree = try #require(content.fences.first)
        let approach = try #require(tree.approach)
        #expect(tree.title == "Low bridge" && tree.metadata == "{}")
        #expect(approach.limits.kinds == [.height, .weight] && approach.limits[.height] == 4)
        #expect(approach.limits.sign == "4" && approach.limits.isDoubtful)
        #expect(approach.legs.count == 2 && approach.legs[1].next == 0 && approach.legs[1].isCut)
        #expect(approach.legs[0].turn == Approach.Turn(toGo: 10, angle: 79))
        #expect(approach.legs[0].escape == Approach.Escape(road: "Mill Lane", side: .left))
        guard case .lines(let lines, let width)? = tree.area?.geometry else {
            Issue.record("no lines")
            return
        }
        #expect(lines.count == 3 && width == 2 * Approach.reach && approach.rivals.count == 1)
        let cone = try #require(content.fences.last)
        #expect(cone.approach?.course == .cone(direction: 90))
        #expect(cone.approach?.limits.basis == .belowDefault)
        #expect(cone.warning?.hasPrefix("a cone") == true)
    }

    @Test("what is written is read back as it was")
    func roundTrip() throws {
        var random = SeededRandom(seed: 13)
        let places = (0..<200).map {
            Coordinate(latitude: 48, longitude: 11).moved(by: 30 * Double($0), toward: 80)
        }
        let fences =
            FileContent(try Self.text()).fences
            + RandomApproaches.fences(60, along: places, &random)
        #expect(fences.count > 50)
        for fence in fences {
            let content = FileContent(FenceFileWriter.feature(fence))
            #expect(content.fences == [fence], "\(content.messages)")
        }
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        var old: String
        var new: String
        var reason: String
        var testDescription: String { reason }
    }

    static let bad = [
        Bad(old: "\"corridor\"", new: "\"tree\"", reason: "neither \"corridor\" nor \"cone\""),
        Bad(old: "\"corridor\"", new: "\"cone\"", reason: "a cone is a Point"),
        Bad(
            old: "\"limits\":{\"height_m\":4.0,", new: "\"limits\":{\"height_m\":\"13\",",
            reason: "height_m is no number"),
        Bad(old: "\"height_m\":4.0", new: "\"height_m\":40", reason: "height_m 40.0 is outside"),
        Bad(
            old: "\"basis\":\"signed\"", new: "\"basis\":\"seen\"", reason: "unknown basis \"seen\""
        ),
        Bad(old: "\"next\":0", new: "\"next\":7", reason: "leg 2 has next 7, which is no leg"),
        Bad(old: "\"next\":0", new: "\"next\":-1", reason: "leg 2: next is no leg"),
        Bad(old: "\"next\":null,", new: "", reason: "leg 1: no next"),
        Bad(old: "\"end_m\":149.2", new: "\"end_m\":90", reason: "leg 2 has end_m 90.0"),
        Bad(old: "\"chance\":0.475", new: "\"chance\":0.95", reason: "leg 2 has a chance above"),
        Bad(old: "\"turn\":[10,79]", new: "\"turn\":[10]", reason: "turn is no pair"),
        Bad(
            old: "[[10.99,48.0],[11.0,48.0]]", new: "[[10.99,48.0],[10.99,48.0]]",
            reason: "line 2 has all its positions in one place"),
        Bad(old: ",[[10.99,48.0],[11.0,48.0]]", new: "", reason: "2 legs and 1 lines"),
        Bad(old: "[[11.0,48.0001]", new: "[[11.0]", reason: "rivals, line 1: no position"),
        Bad(old: "\"legs\":[", new: "\"lags\":[", reason: "no legs"),
    ]

    @Test("a bad approach is refused, with the entry and the reason", arguments: bad)
    func refused(_ one: Bad) throws {
        let text = try Self.text()
        let changed = text.replacingOccurrences(of: one.old, with: one.new)
        #expect(changed != text)
        let content = FileContent(changed)
        #expect(content.fences.map(\.id) == ["list-7"])
        let message = try #require(content.messages.first)
        #expect(message.contains("osm-w1") && message.contains(one.reason), "\(message)")
    }

    @Test("an event's approach comes back from its JSON, text and all")
    func details() throws {
        let details = ApproachDetails(
            kind: .weight, limit: 7.5, basis: .measured, vehicle: 12, shortBy: 4.5, toGo: 99.9,
            toEscape: 0, way: .cone, group: 0)
        let json = details.json(of: .urgent)
        #expect(ApproachDetails(json: json) == details)
        #expect(json["text"]?.string == details.text(of: .urgent))
        #expect(json["limit_t"]?.double == 7.5 && json["limit"]?.string == "weight")
        #expect(ApproachDetails(json: .null) == nil)
    }
}
