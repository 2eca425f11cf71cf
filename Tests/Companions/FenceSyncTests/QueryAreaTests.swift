import FenceSync
import Testing

@Suite struct QueryAreaTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var latitude: Double
        var longitude: Double
        var radius: Double
        var grid: Double
        var expected: QueryArea
    }

    static let cases = [
        Case(
            testDescription: "rounded outwards", latitude: 48.05, longitude: 11.05, radius: 1000,
            grid: 0.1, expected: QueryArea(west: 11, south: 48, east: 11.1, north: 48.1)),
        Case(
            testDescription: "across 180°", latitude: 0.05, longitude: 179.98, radius: 5000,
            grid: 0.1, expected: QueryArea(west: 179.9, south: 0, east: -179.9, north: 0.1)),
        Case(
            testDescription: "around a pole", latitude: 89.9, longitude: 0, radius: 50_000,
            grid: 0.1, expected: QueryArea(west: -180, south: 89.4, east: 180, north: 90)),
    ]

    @Test("The area contains the disc, and does not tell the position", arguments: cases)
    func area(_ given: Case) {
        let area = QueryArea(
            latitude: given.latitude, longitude: given.longitude, radius: given.radius,
            grid: given.grid)
        #expect(area == given.expected)
        #expect(area.isAcross == (given.expected.west > given.expected.east))
    }
}
