import Foundation
import Testing

@testable import Geodesy

@Suite("Geometries that validation refuses")
struct AreaValidationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let geometry: Geometry
        let reason: String

        init(_ name: String, _ geometry: Geometry, _ reason: String) {
            testDescription = name
            self.geometry = geometry
            self.reason = reason
        }
    }

    static let square = box(0, 0, 4, 4)

    static func shell(_ positions: [(Double, Double)]) -> Geometry {
        .polygons([[positions.map { at($0.1, $0.0) }]])
    }

    static let refused: [Case] = [
        Case("radius 0", .circle(center: at(1, 2), radius: 0), "radius 0.0 is not above 0"),
        Case("radius below 0", .circle(center: at(1, 2), radius: -3), "not above 0"),
        Case("radius NaN", .circle(center: at(1, 2), radius: .nan), "radius is not a number"),
        Case("radius infinite", .circle(center: at(1, 2), radius: .infinity), "not a number"),
        Case("radius over 20000 km", .circle(center: at(1, 2), radius: 2.1e7), "above 20000 km"),
        Case("latitude NaN", .circle(center: at(.nan, 2), radius: 1), "center is not a pair"),
        Case("longitude infinite", .circle(center: at(0, .infinity), radius: 1), "center"),
        Case("latitude over 90", .circle(center: at(90.1, 2), radius: 1), "latitude 90.1"),
        Case("longitude over 540", .circle(center: at(0, 541), radius: 1), "longitude 541"),
        Case("width 0", .corridor(line: [at(0, 0), at(1, 1)], width: 0), "width 0.0"),
        Case("width NaN", .corridor(line: [at(0, 0), at(1, 1)], width: .nan), "width"),
        Case("line of one", .corridor(line: [at(0, 0)], width: 5), "fewer than 2 positions"),
        Case("empty line", .corridor(line: [], width: 5), "fewer than 2 positions"),
        Case(
            "line in one place", .corridor(line: [at(0, 180), at(0, -180)], width: 5), "one place"),
        Case(
            "bad position in a line",
            .corridor(line: [at(0, 0), at(1, 1), at(-91, 0)], width: 5), "position 3"),
        Case("no polygon", .polygons([]), "no rings"),
        Case("no ring", .polygons([[square], []]), "part 2, polygon has no rings"),
        Case(
            "three positions", shell([(0, 0), (1, 0), (0, 0)]), "shell has fewer than 4 positions"),
        Case("not closed", shell([(0, 0), (1, 0), (1, 1), (0, 1)]), "shell is not closed"),
        Case(
            "latitude out of range in a hole",
            .polygons([[square], [square, [at(1, 1), at(95, 1), at(1, 2), at(1, 1)]]]),
            "part 2, hole 1, position 2 has latitude 95"),
        Case(
            "bow tie", shell([(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)]),
            "crosses itself: the edge from position 1 and the edge from position 3"),
        Case(
            "bow tie through a vertex",
            shell([(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2), (0, 0)]), "crosses itself"),
        Case(
            "a vertex pushed through an edge",
            shell([(0, 0), (4, 0), (4, 4), (2, 0), (1, -1), (0, 4), (0, 0)]), "crosses itself"),
        Case(
            "out and back along one line", shell([(0, 0), (2, 0), (1, 0), (1, 2), (0, 0)]),
            "runs along itself"),
        Case("no inside", shell([(0, 0), (1, 1), (2, 2), (0, 0)]), "runs along itself"),
        Case("one place", shell([(1, 1), (1, 1), (1, 1), (1, 1)]), "encloses nothing"),
        Case(
            "bow tie over the antimeridian",
            shell([(179, 0), (-179, 2), (-179, 0), (179, 2), (179, 0)]), "crosses itself"),
        Case(
            "twice round the Earth",
            shell([
                (0, 10), (120, 11), (-120, 12), (0, 13), (120, 14), (-120, 15), (0, 10),
            ]), "round the Earth more than once"),
        Case(
            "a ring round the pole that crosses itself after a turn",
            shell([(0, 60), (90, 60), (180, 60), (-90, 60), (20, 40), (10, 75), (0, 60)]),
            "crosses itself"),
        Case("hole outside", .polygons([[square, box(5, 5, 6, 6)]]), "hole 1 lies outside"),
        Case(
            "hole partly outside", .polygons([[square, box(1, 1, 2, 2), box(3, 3, 5, 3.5)]]),
            "hole 2 lies outside its shell at position 2"),
        Case(
            "hole over a bay of its shell",
            .polygons([
                [
                    [
                        at(0, 0), at(0, 4), at(4, 4), at(4, 2.1), at(1, 2), at(4, 1.9), at(4, 0),
                        at(0, 0),
                    ], box(1, 2, 3, 3),
                ]
            ]), "hole 1 lies outside its shell after position"),
        Case(
            "hole round the shell", .polygons([[box(1, 1, 2, 2), box(0, 0, 4, 4)]]), "hole 1"),
    ]

    @Test("each with its reason and location", arguments: refused)
    func refuse(_ wanted: Case) {
        let error = #expect(throws: AreaError.self) { try Area(wanted.geometry) }
        #expect(
            error?.description.contains(wanted.reason) == true, "\(error?.description ?? "")")
    }

    static let accepted: [Case] = [
        Case("repeated positions", shell([(0, 0), (0, 0), (1, 0), (1, 1), (1, 1), (0, 0)]), ""),
        Case("repeated in a line", .corridor(line: [at(0, 0), at(0, 0), at(0, 1)], width: 1), ""),
        Case("longitudes beyond 180", .polygons([[box(350, 0, 365, 5)]]), ""),
        Case("closed a turn away", shell([(-180, 1), (-90, 0), (-90, 5), (180, 1)]), ""),
        Case(
            "a ring that touches itself",
            shell([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4), (0, 0)]), ""),
        Case(
            "two lobes that meet in a point",
            shell([(0, 0), (1, 1), (0, 2), (2, 2), (1, 1), (2, 0), (0, 0)]), ""),
        Case("hole that touches its shell", .polygons([[square, box(0, 1, 2, 2)]]), ""),
        Case(
            "hole written a turn away",
            .polygons([[box(170, 0, 190, 5), box(-178, 1, -175, 2)]]), ""),
        Case("clockwise", shell([(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]), ""),
        Case(
            "a band round the pole, with a hole",
            shell([(0, 60), (120, 60), (-120, 60), (0, 60)]), ""),
        Case("the largest circle", .circle(center: at(0, 540), radius: 2e7), ""),
        Case("a tiny circle", .circle(center: at(-90, -540), radius: 1e-9), ""),
    ]

    @Test("unusual but valid ones are accepted", arguments: accepted)
    func accept(_ wanted: Case) throws {
        let area = try Area(wanted.geometry)
        #expect(area.size > 0)
        #expect(area.inradii.allSatisfy { $0 > 0 })
    }

    @Test("a ring of 100 000 vertices is checked quickly, and its one crossing found")
    func large() throws {
        let count = 100_000
        var ring = (0..<count).map { k in
            let angle = 2 * Double.pi * Double(k) / Double(count)
            let reach = 1 + 0.1 * sin(40 * angle)
            return at(10 + reach * sin(angle), 20 + reach * cos(angle))
        }
        ring.append(ring[0])
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try Area(.polygons([[ring]])).inradii[0] > 90_000)
        ring.swapAt(60_000, 60_001)
        let error = #expect(throws: AreaError.self) { try Area(.polygons([[ring]])) }
        #expect(error?.description.contains("crosses itself: the edge from position 60000") == true)
        // A minute even without optimisation on a loaded machine; n² would take hours.
        #expect(clock.now - begin < .seconds(60))
    }
}
