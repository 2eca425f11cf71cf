import Foundation
import Testing

@testable import Geodesy

/// The cost of an area is counted, not timed: the same on every machine.
@Suite("the budget of an area")
struct AreaBudgetTests {
    /// A regular polygon around a point, degrees.
    private func circle(_ center: Coordinate, _ radius: Double, _ count: Int) -> [Coordinate] {
        var ring = (0..<count).map { k in
            let angle = 2 * Double.pi * Double(k) / Double(count)
            return at(
                center.latitude + radius * sin(angle), center.longitude + radius * cos(angle))
        }
        ring.append(ring[0])
        return ring
    }

    private func squares(_ count: Int, per row: Int, _ size: Double) -> [[Coordinate]] {
        (0..<count).map { k in
            let (south, west) = (Double(k / row) * 2 * size, Double(k % row) * 2 * size)
            return box(west, south, west + size, south + size)
        }
    }

    /// The rest of the budget; nil if it was not enough.
    private func left(_ geometry: Geometry) -> AreaBudget? {
        var budget = AreaBudget.geometry
        return (try? Area(geometry, within: &budget)).map { _ in budget }
    }

    @Test("the shell is prepared once: the cost of holes does not depend on the shell")
    func holes() throws {
        let shell = circle(at(5, 5), 4.9, 20_000)
        let holes = squares(1_000, per: 40, 0.05).map { hole in
            hole.map { at($0.latitude + 3.5, $0.longitude + 3.5) }
        }
        let few = try #require(left(.polygons([[shell] + holes.prefix(1)])))
        let many = try #require(left(.polygons([[shell] + holes])))
        // Each hole has 4 corners and 4 middles, each searched in a tree of 20 000 edges.
        #expect(few.steps - many.steps < 1_000 * 8 * 150)
    }

    @Test("the maximum number of parts is measured within it")
    func parts() throws {
        let geometry = Geometry.polygons(squares(2_000, per: 50, 0.01).map { [$0] })
        let budget = try #require(left(geometry))
        #expect(budget.steps > 0)
        let area = try Area(geometry)
        #expect(area.inradii.count == 2_000)
        let least = try #require(area.inradii.min())
        let most = try #require(area.inradii.max())
        #expect(least > 0.97 * most, "each to 1 %")
    }

    static let beyond: [(name: String, geometry: Geometry, reason: String)] = [
        (
            "positions",
            .corridor(line: (0...120_000).map { at(0, Double($0) * 1e-3) }, width: 5),
            "more than 120000 positions"
        ),
        (
            "positions of many rings",
            .polygons(
                (0..<9_999).map { k in
                    [(0...12).map { at(0, Double($0 + k)) }]
                }), "more than 120000 positions"
        ),
        (
            "edges as long as the Earth",
            .polygons([
                [
                    (0..<60).flatMap { k -> [Coordinate] in
                        let y = Double(k)
                        return k % 2 == 0
                            ? [at(y / 10, -80), at(y / 10, 80)] : [at(y / 10, 80), at(y / 10, -80)]
                    } + [at(7, -85), at(0, -85), at(0, -80)]
                ]
            ]), "more than 120000 positions"
        ),
        (
            "rings", .polygons((0..<10_001).map { _ in [box(0, 0, 1, 1)] }),
            "more than 10000 rings"
        ),
        (
            "parts that lie over one another",
            .polygons((0..<1_000).map { k in [box(0, 0, 1 + Double(k) * 1e-3, 1)] }),
            "lie over one another"
        ),
        (
            "seams in many pieces",
            .polygons(
                (0..<300).map { k in [box(-180, -80, -179 + Double(k) * 1e-3, 80)] }
                    + (0..<3_000).map { k in
                        [box(179, -80 + Double(k) * 0.05, 180, -79.98 + Double(k) * 0.05)]
                    }), "more than 120000 positions"
        ),
    ]

    @Test(
        "a geometry beyond the budget is refused with the right reason", arguments: 0..<beyond.count
    )
    func refused(_ index: Int) {
        let (name, geometry, reason) = Self.beyond[index]
        let error = #expect(throws: AreaError.self, "\(name)") { try Area(geometry) }
        #expect(error?.description.contains(reason) == true, "\(name): \(error?.description ?? "")")
    }

    @Test("a comb that would be compared tooth by tooth is refused")
    func comb() {
        // Teeth whose boxes all overlap: a zigzag of long slanting edges side by side.
        var ring: [Coordinate] = []
        for k in 0..<8_000 {
            let x = Double(k) * 1e-6
            ring += [at(0, x), at(0.2, x + 0.2)]
        }
        ring += [at(0.3, 0.3), at(0.3, -0.1), at(0, -0.1), at(0, 0)]
        var budget = AreaBudget.geometry
        let error = #expect(throws: AreaError.self) {
            try Area(.polygons([[ring]]), within: &budget)
        }
        #expect(error != nil)
    }

    @Test("one budget covers a whole call: what one area uses is not left for another")
    func shared() throws {
        var budget = AreaBudget(positions: 250, rings: 10, steps: 1_000_000)
        _ = try Area(.polygons([[circle(at(1, 1), 0.1, 100)]]), within: &budget)
        #expect(budget.positions == 150 && budget.rings == 9 && !budget.isExhausted)
        _ = try Area(.circle(center: at(1, 1), radius: 5), within: &budget)
        _ = try Area(.polygons([[circle(at(1, 1), 0.1, 100)]]), within: &budget)
        #expect(throws: AreaError.self) {
            try Area(.polygons([[circle(at(1, 1), 0.1, 100)]]), within: &budget)
        }
        #expect(budget.isExhausted)
    }

    @Test("an empty area is refused; a sliver has the lower bound of its inradius")
    func slivers() throws {
        let sliver = [at(10, 10), at(10.1234567, 10.3), at(10.0411523, 10.1), at(10, 10)]
        let area = try Area(.polygons([[sliver]]))
        #expect(area.inradii[0] > 0 && area.inradii[0] < 0.01)
        #expect(area.size > 0)
        let square = try Area(.polygons([[box(0, 0, 1, 1)], [sliver]]))
        #expect(square.inradii.count == 2 && square.inradii[0] > 50_000)
    }
}
