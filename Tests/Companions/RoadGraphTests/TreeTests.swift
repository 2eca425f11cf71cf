import RoadGraph
import Testing

@Suite struct TreeTests {
    /// A road to the east, "Main", with a low bridge at 0...20 m; a ladder of side roads joins
    /// it at -300 m and -600 m, so that there one may leave to the south and get somewhere.
    ///
    ///     -1500 ---- -600 ------- -300 ------ 0 == 20 ------ 500
    ///                  |            |                         |
    ///                  +------------+-------------------------+
    private func ladder(_ bridge: [String: String] = ["maxheight": "3.5"]) -> Town {
        var town = Town()
        let places = [-4000.0, -1500, -600, -300, 0, 20, 500, 4000]
        let main = places.map { town.node($0, 0) }
        let south = places.map { town.node($0, -400) }
        let name = ["name": "Main", "highway": "secondary"]
        town.road([main[0], main[1], main[2], main[3], main[4]], name)
        town.road([main[4], main[5]], name.merging(bridge) { $1 })
        town.road([main[5], main[6], main[7]], name)
        town.road(south)
        for place in [0, 2, 3, 6, 7] {
            town.road([main[place], south[place]], ["name": "Side \(place)"])
        }
        return town
    }

    @Test("The last escape is the junction nearest to the hazard, with the road and its side")
    func lastEscape() throws {
        let approach = try #require(try ladder().approaches()["osm-w102"])
        let first = try #require(approach.legs.first { $0.next == nil && $0.points[0].isWest })
        let escape = try #require(
            approach.legs.first { $0.points[0].isWest && $0.escape != nil }?.escape)
        #expect(first.end == 0)
        #expect(abs(escape.metres - 300) < 2)
        #expect(escape.road == "Side 3")
        #expect(escape.side == .right)
        #expect(approach.legs.allSatisfy { $0.chance > 0 && $0.chance <= 1 })
    }

    @Test("The approach goes a mile beyond the escape while the road leads there")
    func mile() throws {
        let approach = try #require(try ladder().approaches()["osm-w102"])
        let farthest = approach.legs.filter { $0.points[0].isWest }.map { leg in
            leg.end
                + zip(leg.points, leg.points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }.max()
        #expect(abs((farthest ?? 0) - 1909) < 5)
    }

    @Test("A cul-de-sac is no escape")
    func culDeSac() throws {
        var town = ladder()
        town.road([5, town.node(0, 200)], ["name": "Dead End"])
        let approach = try #require(try town.approaches()["osm-w102"])
        #expect(approach.legs.allSatisfy { $0.escape?.road != "Dead End" })
    }

    @Test("A pocket behind another bridge as low is no escape, one behind a higher one is")
    func pocket() throws {
        for (height, expected) in [("3.4", false), ("3.9", true)] {
            var town = ladder()
            // A loop of 800 m at the portal, which another bridge joins to the south.
            let (a, b, c) = (town.node(0, 200), town.node(200, 200), town.node(200, 100))
            town.road([5, a, b, c, 5], ["name": "Loop"])
            let far = town.node(0, 310)
            town.road([a, far], ["maxheight": height])
            town.road([far, 1], ["name": "Beyond"])
            let approach = try #require(try town.approaches()["osm-w102"])
            let isEscape = approach.legs.contains { $0.escape?.road == "Loop" }
            #expect(isEscape == expected, "\(height)")
        }
    }

    @Test("One-way roads are walked against the traffic only")
    func oneWay() throws {
        let approach = try #require(
            try ladder(["maxheight": "3.5", "oneway": "yes"]).approaches()["osm-w102"])
        // Into the bridge from the west only.
        #expect(approach.legs.filter { $0.next == nil }.count == 1)
        let backward = try #require(
            try ladder(["maxheight": "3.5", "oneway": "-1"]).approaches()["osm-w102"])
        #expect(backward.legs.filter { $0.next == nil }.allSatisfy { !$0.points[0].isWest })
    }

    @Test("maxheight:forward is met in the direction of the way only")
    func forward() throws {
        let approach = try #require(
            try ladder(["maxheight:forward": "3.5"]).approaches()["osm-w102"])
        #expect(approach.legs.filter { $0.next == nil }.map { $0.points[0].isWest } == [true])
    }

    @Test("Where a sign forbids the turn toward the hazard, no leg comes from there")
    func turnRestriction() throws {
        var town = ladder()
        let before = try #require(try town.approaches()["osm-w102"])
        #expect(before.legs.contains { $0.road == "Side 3" })
        // Side 3 is the third of the side roads, whose ids begin at 105.
        town.restriction("no_right_turn", from: 107, via: 4, to: 101)
        let after = try #require(try town.approaches()["osm-w102"])
        #expect(!after.legs.contains { $0.road == "Side 3" })
    }

    @Test("Legs hang together: the end is the start of the next, and metres to go add up")
    func legs() throws {
        for approach in try ladder().approaches().values {
            for (index, leg) in approach.legs.enumerated() {
                guard let next = leg.next else { continue }
                let other = approach.legs[next]
                let length = zip(other.points, other.points.dropFirst())
                    .reduce(0) { $0 + $1.0.distance(to: $1.1) }
                #expect(next < index)
                #expect(leg.points.last == other.points.first)
                #expect(abs(leg.end - other.end - length) < 1)
                #expect(leg.chance <= other.chance)
            }
        }
    }

    @Test("A node with a limit is approached from all roads that meet there")
    func node() throws {
        var town = Town()
        let middle = town.node(0, 0, ["barrier": "height_restrictor", "maxheight": "2.1"])
        let (west, east) = (town.node(-2000, 0), town.node(2000, 0))
        town.road([west, middle, east])
        let approach = try #require(try town.approaches()["osm-n1"])
        #expect(approach.legs.filter { $0.next == nil }.count == 2)
        #expect(approach.section.count == 2)
    }

    @Test("A node at the end of a section as low is the same hazard, a lower one is another")
    func nodeOfSection() throws {
        for (height, ids) in [("3.5", ["osm-w101"]), ("3.4", ["osm-n2", "osm-w101"])] {
            var town = Town()
            let (west, east) = (town.node(-2000, 0), town.node(0, 0, ["maxheight": height]))
            town.road([east, town.node(20, 0)], ["maxheight": "3.5"])
            town.road([west, east])
            #expect(try town.approaches().keys.sorted() == ids)
        }
    }

    @Test("A road beside, in the same direction, is a rival; one across, or the other way, is not")
    func rivals() throws {
        var town = ladder()
        func line(_ from: (Double, Double), _ to: (Double, Double), _ tags: [String: String]) {
            let nodes = [town.node(from.0, from.1), town.node(to.0, to.1)]
            town.road(nodes, tags)
        }
        let before = try #require(try town.approaches()["osm-w102"]).rivals.count
        line((-200, 20), (-100, 20), ["oneway": "yes"])
        #expect(try #require(try town.approaches()["osm-w102"]).rivals.count == before + 1)
        line((-150, 40), (-150, -40), ["oneway": "yes"])
        line((-100, 30), (-200, 30), ["oneway": "yes"])
        line((-200, 100), (-100, 100), ["oneway": "yes"])
        #expect(try #require(try town.approaches()["osm-w102"]).rivals.count == before + 1)
    }

    @Test("A tree that is too large keeps its nearest legs, and says so")
    func budget() throws {
        var settings = TreeSettings()
        settings.mostLegs = 2
        let approach = try #require(try ladder().approaches(settings)["osm-w102"])
        #expect(approach.isTruncated)
        #expect(approach.legs.count == 2)
    }
}

extension RoadPoint {
    /// Of the bridge.
    fileprivate var isWest: Bool { longitude < 80_000_000 }
}
