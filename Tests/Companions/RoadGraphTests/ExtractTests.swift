import RoadGraph
import Testing

@Suite struct ExtractTests {
    @Test("The roads of Krems are read: as many restricted ways as the file has")
    func krems() throws {
        let extract = try Extract.read([TestData.path("krems.osm.gz")])
        let heights = extract.restricted.filter { $0.tags[.maxheight] != nil }
        #expect(heights.count == 5)
    }
}
