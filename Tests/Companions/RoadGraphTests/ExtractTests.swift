import RoadGraph
import SystemTestKit
import Testing

@Suite struct ExtractTests {
    @Test("The roads of Krems are read from XML, with the heights on them")
    func krems() throws {
        let extract = try Extract.read([TestData.path("krems.osm.gz")])
        let key = try #require(TagKey(rawValue: "maxheight"))
        let heights = extract.restricted.filter { $0.tags[key] != nil }
        #expect(heights.count == 3)
        #expect(extract.network.ways.count == 570)
    }

    @Test("A file given twice adds nothing")
    func twice() throws {
        let path = TestData.path("bus.osm.pbf")
        let (once, twice) = (try Extract.read([path]), try Extract.read([path, path]))
        #expect(twice.network.ways.map(\.id) == once.network.ways.map(\.id))
        #expect(twice.restricted.count == once.restricted.count)
        #expect(twice.duplicates >= once.network.ways.count)
    }

    @Test("What is no extract is refused with libosmium's reason")
    func junk() throws {
        let directory = TemporaryDirectory()
        let whole = TestData.bytes("bus.osm.pbf")
        for (name, bytes) in [
            ("short.osm.pbf", Array(whole.prefix(100_000))),
            ("junk.osm.pbf", Array("this is no extract, but a text".utf8)),
            ("junk.osm", Array("<osm version=\"0.6\"><node".utf8)),
            ("empty.osm.gz", []),
        ] {
            TestData.write(bytes, to: directory.file(name))
            let error = #expect(throws: ExtractError.self) {
                try Extract.read([directory.file(name)])
            }
            #expect(error?.path == directory.file(name))
            #expect(error?.reason.isEmpty == false)
        }
    }

    @Test(
        "A file that is not there, a directory, and an address are refused",
        arguments: ["/nowhere/a.osm.pbf", "/tmp", "http://localhost/a.osm.pbf", "/etc/passwd"])
    func noFile(_ path: String) {
        #expect(throws: ExtractError.self) { try Extract.read([path]) }
    }

    @Test("Points at one place become one junction, and no edge has the length 0")
    func onePlace() throws {
        var town = Town()
        let nodes = (0..<1000).map { _ in town.node(0, 0) }
        town.road([town.node(-500, 0)] + nodes + [town.node(500, 0)])
        let network = try town.extract().network
        #expect(network.vertexCount == 2)
        #expect(network.segments.allSatisfy { $0.length > 0 })
    }

    @Test("A junction of a thousand roads is not walked, and what leads past it is")
    func star() throws {
        var town = Town()
        let middle = town.node(0, 0)
        for index in 0..<1000 { town.road([middle, town.node(500, Double(index))]) }
        let portal = town.node(-500, 0)
        let bridge = town.road([portal, town.node(-480, 0)], ["maxheight": "3.5"])
        town.road([middle, portal])
        let approach = try #require(try town.approaches()["osm-w\(bridge)"])
        #expect(approach.legs.count == 1)
    }

    @Test("Nodes that are missing are the edge of the extract: legs that begin there are cut")
    func edge() throws {
        var town = Town()
        let (a, b, c) = (town.node(-300, 0), town.node(0, 0), town.node(20, 0))
        let bridge = town.road([b, c], ["maxheight": "3.5"])
        town.road([99_999, a, b])
        let extract = try town.extract()
        #expect(extract.missingNodes == 1)
        let approach = try #require(try town.approaches()["osm-w\(bridge)"])
        #expect(approach.legs.map(\.isCut) == [true])
    }
}
