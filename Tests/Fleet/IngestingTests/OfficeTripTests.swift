import JSON
import PostgreSQL
import Reports
import Testing

@testable import Ingesting

extension DatabaseTests {
    private static let trip = """
        ,"way_m":12345.6,"way_error_m":130.5,"stops":2,"from":"depot","from_title":"Depot","to":"dock","driver":"Bob"
        """

    private func read(_ place: String? = nil) throws -> [Trip] {
        var selection = Visit.Selection()
        selection.tenant = "acme"
        selection.place = place
        return try Trip.read(selection, from: database)
    }

    @Test("a trip is one row, with the driver whom the box names, and no visit")
    func trips() throws {
        _ = try take(
            try row(1, after: 0, "trip", minutesAgo: 30, stay: 1_800, members: Self.trip),
            try row(2, after: 1, "trip", minutesAgo: 10, stay: 60),
            try row(3, after: 2, "trip"))
        #expect(try Visit.read(Visit.Selection(), from: database).isEmpty)
        let found = try read()
        #expect(found.map(\.length) == [1_800, 60])
        #expect(found[0].driver == "Bob" && found[0].stops == "2" && found[0].gap == nil)
        let json = try JSONValue(parsing: Report.json.text(Sheet([found[0]])))
        #expect(
            json.object?.map(\.key) == [
                "box", "began", "ended", "from", "from_title", "to", "to_title", "trip_s", "way_m",
                "way_error_m", "gap_m", "stops", "driver",
            ])
        #expect(json["from_title"]?.string == "Depot" && json["to_title"] == .null)
        #expect(json["way_m"]?.double == 12_345.6 && json["gap_m"]?.double == 0)
        #expect(json["trip_s"]?.double == 1_800 && json["stops"]?.integer == 2)
        let row = Report.table.text(Sheet([found[0]])).split(separator: "\n")[1]
        #expect(row.contains("  Depot  dock  30 min 00 s  12.3 km  "))
        #expect(try read("dock").count == 1 && read("elsewhere").isEmpty)
    }

    @Test("what a box says of a trip stops no report", arguments: ["-1", "\"x\"", "1e300", "[2]"])
    func oddTrips(_ value: String) throws {
        _ = try take(
            try row(
                1, after: 0, "trip", stay: 60,
                members: ",\"stops\":\(value),\"way_m\":\(value),\"from\":\(value)"))
        let found = try read()
        #expect(found.count == 1 && found[0].stops == nil && found[0].way == nil)
    }
}
