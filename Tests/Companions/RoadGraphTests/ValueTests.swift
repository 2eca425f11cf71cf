import Geodesy
import Testing

@testable import RoadGraph

@Suite struct ValueTests {
    /// A line of `height_values.csv` or `weight_values.csv`.
    struct Vector: CustomTestStringConvertible {
        let value: String
        let kind: String
        /// m or t.
        let number: Double?

        var testDescription: String { "\(value) is \(kind)" }

        static func all(_ file: String, kind: Int, number: Int) -> [Vector] {
            let lines = TestData.text(file).split(whereSeparator: \.isNewline).dropFirst()
            return lines.map { line in
                let fields = TestData.fields(String(line))
                return Vector(
                    value: fields[0], kind: fields[kind], number: Double(fields[number]))
            }
        }

        static let heights = all("height_values.csv", kind: 1, number: 2)
        static let weights = all("weight_values.csv", kind: 2, number: 1)

        func check(_ value: LimitValue, in range: ClosedRange<Double>) {
            switch (kind, value) {
            case ("default", .nationalDefault), ("none", .unlimited), ("unknown", .unknown),
                ("below-default", .belowDefault), ("beyond", .beyond), ("refused", .refused):
                return
            case ("exact", .number(let read, let doubt)),
                ("doubtful", .number(let read, let doubt)):
                #expect(abs(read - (number ?? 0)) < 1e-6)
                #expect((doubt != nil) == (kind == "doubtful"), "\(doubt ?? "no doubt")")
            case (_, .refused):
                #expect(number.map { !range.contains($0) } ?? false)
            default: Issue.record("\(value)")
            }
        }
    }

    @Test("There are vectors of heights, and of weights")
    func count() {
        #expect(Vector.heights.count == 220)
        #expect(Vector.weights.count == 69)
    }

    @Test("A height is read as the vector says", arguments: Vector.heights)
    func height(_ vector: Vector) {
        vector.check(LimitValue(vector.value, of: .height), in: LimitKind.height.plausible)
    }

    @Test("A weight is read as the vector says", arguments: Vector.weights)
    func weight(_ vector: Vector) {
        for kind in [LimitKind.weight, .axleLoad] {
            vector.check(LimitValue(vector.value, of: kind), in: kind.plausible)
        }
    }

    @Test(
        "What cannot be a value of the kind is refused",
        arguments: [
            ("3.5 t", LimitKind.height), ("3.5 m", .weight), ("0.2", .width), ("70000", .length),
            ("1e3", .height), ("inf", .height), ("٣", .height),
            (String(repeating: "9", count: 300), .weight),
        ])
    func refused(_ text: String, _ kind: LimitKind) {
        guard case .refused = LimitValue(text, of: kind) else {
            Issue.record("\(LimitValue(text, of: kind))")
            return
        }
    }

    @Test(
        "A width and a length without a unit that cannot be metres are in doubt",
        arguments: [("11", LimitKind.width, 3.3528), ("250", .width, 2.5), ("70", .length, 21.336)])
    func bare(_ text: String, _ kind: LimitKind, _ metres: Double) {
        guard case .number(let number, _?) = LimitValue(text, of: kind) else {
            Issue.record("\(LimitValue(text, of: kind))")
            return
        }
        #expect(abs(number - metres) < 1e-9)
    }

    @Test(
        "A weight without a unit is in kilograms, or west of 30° W in pounds",
        arguments: [("10000", 8, 10.0), ("10000", -97, 4.536), ("800", -97, 0.8), ("15", -97, 15)])
    func place(_ text: String, _ longitude: Double, _ tonnes: Double) throws {
        for key in ["maxweight", "maxweight:conditional"] {
            let value = key == "maxweight" ? text : "\(text) @ (wet)"
            var tags = LimitTags(
                tags([key: value]), object: "way 1",
                place: .init(latitude: 40, longitude: longitude), defaultHeight: nil)
            let limit = try #require(tags.limits(.forward).first)
            #expect((((limit.value ?? 0) * 1000).rounded() - tonnes * 1000).magnitude < 1e-6)
            #expect((limit.doubt != nil) == (text != "15"))
        }
    }

    private func tags(_ texts: [String: String]) -> Tags {
        Tags(
            uniqueKeysWithValues: texts.compactMap { key, value in
                TagKey(rawValue: key).map { ($0, value) }
            })
    }

    private func limits(
        _ texts: [String: String], _ direction: LimitTags.Direction = .forward
    ) -> [Limit] {
        var reader = LimitTags(
            tags(texts), object: "way 1", place: .init(latitude: 49, longitude: 8),
            defaultHeight: nil)
        return reader.limits(direction)
    }

    @Test(
        "Every form of the key counts",
        arguments: [
            "", ":physical", ":legal", ":hgv", ":lanes", ":physical:lanes", ":forward",
            ":physical:forward", ":lanes:forward", ":both_ways", ":conditional",
            ":forward:conditional",
        ])
    func forms(_ suffix: String) {
        for key in ["maxheight", "maxwidth", "maxlength", "maxweight", "maxaxleload"] {
            #expect(limits([key + suffix: "3.5"]).map(\.value) == [3.5])
        }
        let isForward = suffix.contains("forward")
        #expect(limits(["maxheight" + suffix: "3.5"], .backward).isEmpty == isForward)
    }

    @Test("A height that nobody can read is warned of without a number, unless another tag has one")
    func unread() throws {
        let limit = try #require(limits(["maxheight": "3..35"]).first)
        #expect(limit.value == nil)
        #expect(limit.basis == .belowDefault)
        #expect(limit.sign == "3..35")
        #expect(limits(["maxheight": "low", "maxheight:physical": "4.2"]).map(\.value) == [4.2])
        #expect(limits(["maxheight": "default", "maxheight:legal": "low"]).map(\.value) == [nil])
        #expect(limits(["maxweight": "heavy"]).isEmpty)
        #expect(limits(["maxheight": "12 m"]).isEmpty)
    }

    @Test("The least of the tags counts, and default beside a number does not hide it")
    func least() throws {
        let limit = try #require(
            limits([
                "maxheight": "default", "maxheight:physical": "3.6", "maxheight:lanes": "4|3.8",
            ])
            .first)
        #expect(limit.value == 3.6)
        #expect(limit.basis == .measured)
    }

    @Test("forward and backward count in their direction only")
    func directions() {
        let tags = ["maxheight:forward": "3.5", "maxheight:backward": "3.9"]
        #expect(limits(tags, .forward).map(\.value) == [3.5])
        #expect(limits(tags, .backward).map(\.value) == [3.9])
        #expect(limits(tags, .node).isEmpty)
    }

    @Test(
        "The hours of a conditional value are kept if it is the only one",
        arguments: [
            (["maxheight:conditional": "3.5 @ (Mo-Fr 07:00-19:00)"], "Mo-Fr 07:00-19:00"),
            (["maxheight:conditional": "3.5 @ 22:00-06:00"], "22:00-06:00"),
            (["maxheight:conditional": "3.5 @ wet"], nil),
            (["maxheight:conditional": "3.5 @ (Mo-Fr,PH 07:00-19:00)"], nil),
            (["maxheight:conditional": "3.5 @ (22:00-06:00); 3.8 @ (06:00-22:00)"], nil),
            (["maxheight": "4", "maxheight:conditional": "3.5 @ (22:00-06:00)"], nil),
        ] as [([String: String], String?)])
    func hours(tags: [String: String], hours: String?) throws {
        let limit = try #require(limits(tags).first)
        #expect(limit.hours == hours)
    }

    @Test("A conditional value counts at all times, and its condition is kept")
    func conditional() throws {
        let text = "none @ (dry); 3.5 @ (wet; snow)"
        let limit = try #require(limits(["maxheight:conditional": text]).first)
        #expect(limit.value == 3.5)
        #expect(limit.condition == text)
    }

    @Test("A height restrictor without a number is lower than the default")
    func restrictor() {
        #expect(limits(["barrier": "height_restrictor"], .node).map(\.basis) == [.belowDefault])
    }

    @Test("Feet in America have no margin, feet in Britain have")
    func margins() {
        for (longitude, basis) in [(-77.0, LimitBasis.signedActual), (-1.0, .signed)] {
            var reader = LimitTags(
                tags(["maxheight": "13'6\""]), object: "way 1",
                place: .init(latitude: 40, longitude: longitude), defaultHeight: nil)
            #expect(reader.limits(.forward).map(\.basis) == [basis])
        }
    }

    @Test("Refused and doubtful values are listed with their object, each once")
    func remarks() {
        var reader = LimitTags(
            tags(["maxheight": "3..35", "maxwidth": "2,5"]), object: "way 25494427",
            place: .init(latitude: 49, longitude: 8), defaultHeight: nil)
        _ = reader.limits(.forward)
        _ = reader.limits(.backward)
        #expect(reader.remarks.map(\.outcome) == [.refused, .doubtful])
        #expect(reader.remarks.map(\.tag) == ["maxheight=3..35", "maxwidth=2,5"])
        #expect(reader.remarks.allSatisfy { $0.object == "way 25494427" })
    }
}
