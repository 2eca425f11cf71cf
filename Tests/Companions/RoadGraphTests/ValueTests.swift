import Geodesy
import Testing

@testable import RoadGraph

@Suite struct ValueTests {
    struct Vector: CustomTestStringConvertible {
        let value: String
        let kind: String
        let metres: Double?
        let note: String

        var testDescription: String { "\(value) is \(kind)" }

        static let all: [Vector] = {
            let text = TestData.text("height_values.csv")
            return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
                let fields = TestData.fields(String(line))
                return Vector(
                    value: fields[0], kind: fields[1], metres: Double(fields[2]), note: fields[3])
            }
        }()
    }

    @Test("There are 46 vectors of heights")
    func count() { #expect(Vector.all.count == 46) }

    @Test("A height is read as the vector says", arguments: Vector.all)
    func height(_ vector: Vector) throws {
        let value = LimitValue(vector.value, of: .height)
        switch vector.kind {
        case "default": #expect(value == .nationalDefault)
        case "none": #expect(value == .unlimited)
        case "unknown": #expect(value == .unknown)
        case "below-default": #expect(value == .belowDefault)
        default:
            guard let metres = vector.metres, metres >= 1 else {
                guard case .refused = value else {
                    Issue.record("\(value)")
                    return
                }
                return
            }
            guard case .number(let number, let doubt) = value else {
                Issue.record("\(value)")
                return
            }
            #expect(abs(number - metres) < 1e-6)
            #expect((doubt != nil) == (vector.kind == "doubtful"))
        }
    }

    @Test(
        "A weight is read with its unit",
        arguments: [
            ("7.5", 7.5, false), ("7.5 t", 7.5, false), ("3500 kg", 3.5, false),
            ("3500", 3.5, true), ("10000 lbs", 4.535_923_7, false), ("10 st", 9.071_847_4, false),
            ("3,5", 3.5, true), ("3.5;7.5", 3.5, true),
        ])
    func weight(_ text: String, _ tonnes: Double, _ isDoubtful: Bool) {
        guard case .number(let number, let doubt) = LimitValue(text, of: .weight) else {
            Issue.record("\(LimitValue(text, of: .weight))")
            return
        }
        #expect(abs(number - tonnes) < 1e-9)
        #expect((doubt != nil) == isDoubtful)
    }

    @Test(
        "What cannot be a value of the kind is refused",
        arguments: [
            ("3.5 t", LimitKind.height), ("3.5 m", .weight), ("0.2", .width), ("70", .length),
            ("3'4\"5", .height), ("1e3", .height), ("nan", .height), ("3.5 - 4", .height),
            ("٣", .height), (String(repeating: "9", count: 300), .weight),
        ])
    func refused(_ text: String, _ kind: LimitKind) {
        guard case .refused = LimitValue(text, of: kind) else {
            Issue.record("\(LimitValue(text, of: kind))")
            return
        }
    }

    private func limits(_ tags: Tags, _ direction: LimitTags.Direction = .forward) -> [Limit] {
        var reader = LimitTags(
            tags, object: "way 1", place: .init(latitude: 49, longitude: 8), defaultHeight: nil)
        return reader.limits(direction)
    }

    @Test("The least of the tags counts, and default beside a number does not hide it")
    func least() throws {
        let limit = try #require(
            limits([.maxheight: "default", .maxheightPhysical: "3.6", .maxheightLanes: "4|3.8"])
                .first)
        #expect(limit.value == 3.6)
        #expect(limit.basis == .measured)
    }

    @Test("forward and backward count in their direction only")
    func directions() {
        let tags: Tags = [.maxheightForward: "3.5", .maxheightBackward: "3.9"]
        #expect(limits(tags, .forward).map(\.value) == [3.5])
        #expect(limits(tags, .backward).map(\.value) == [3.9])
        #expect(limits(tags, .node).isEmpty)
    }

    @Test(
        "The hours of a conditional value are kept if it is the only one",
        arguments: [
            ([.maxheightConditional: "3.5 @ (Mo-Fr 07:00-19:00)"], "Mo-Fr 07:00-19:00"),
            ([.maxheightConditional: "3.5 @ 22:00-06:00"], "22:00-06:00"),
            ([.maxheightConditional: "3.5 @ wet"], nil),
            ([.maxheightConditional: "3.5 @ (Mo-Fr,PH 07:00-19:00)"], nil),
            ([.maxheightConditional: "3.5 @ (22:00-06:00); 3.8 @ (06:00-22:00)"], nil),
            ([.maxheight: "4", .maxheightConditional: "3.5 @ (22:00-06:00)"], nil),
        ] as [(Tags, String?)])
    func hours(tags: Tags, hours: String?) throws {
        let limit = try #require(limits(tags).first)
        #expect(limit.hours == hours)
    }

    @Test("A conditional value counts at all times, and its condition is kept")
    func conditional() throws {
        let text = "none @ (dry); 3.5 @ (wet; snow)"
        let limit = try #require(limits([.maxheightConditional: text]).first)
        #expect(limit.value == 3.5)
        #expect(limit.condition == text)
    }

    @Test("A height restrictor without a number is lower than the default")
    func restrictor() {
        #expect(limits([.barrier: "height_restrictor"], .node).map(\.basis) == [.belowDefault])
    }

    @Test("Feet in America have no margin, feet in Britain have")
    func margins() {
        for (longitude, basis) in [(-77.0, LimitBasis.signedActual), (-1.0, .signed)] {
            var reader = LimitTags(
                [.maxheight: "13'6\""], object: "way 1",
                place: .init(latitude: 40, longitude: longitude), defaultHeight: nil)
            #expect(reader.limits(.forward).map(\.basis) == [basis])
        }
    }

    @Test("Refused and doubtful values are listed with their object, each once")
    func remarks() {
        var reader = LimitTags(
            [.maxheight: "3..35", .maxwidth: "2,5"], object: "way 25494427",
            place: .init(latitude: 49, longitude: 8), defaultHeight: nil)
        _ = reader.limits(.forward)
        _ = reader.limits(.backward)
        #expect(reader.remarks.map(\.outcome) == [.refused, .doubtful])
        #expect(reader.remarks.map(\.tag) == ["maxheight=3..35", "maxwidth=2,5"])
        #expect(reader.remarks.allSatisfy { $0.object == "way 25494427" })
    }
}
