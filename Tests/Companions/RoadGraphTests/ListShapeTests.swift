import Geodesy
import SystemTestKit
import Testing

@testable import RoadGraph

/// Lists as people's programs and offices write them.
@Suite struct ListShapeTests {
    private func list(_ text: String) throws -> BridgeList {
        let fields = try ListFields(parsing: "id=nr,latitude=y,longitude=x,height=h")
        return try BridgeList(bytes: Array(text.utf8), name: "x", fields)
    }

    @Test(
        "A row of units under the header is that, and not a row of the list",
        arguments: [("ft", 1.9812), ("(ft-in)", 1.9812), ("[m]", 6.5), ("Fuß", 1.9812)])
    func unitRow(_ unit: String, _ metres: Double) throws {
        let list = try list("nr,y,x,h\n-,°,°,\(unit)\n1,49,8,6.5\n")
        #expect(list.entries.count == 1)
        #expect(abs((list.entries.first?.limit.value ?? 0) - metres) < 1e-9)
        #expect(list.remarks.map(\.outcome) == [.leftOut])
    }

    @Test(
        "A list of which nobody knows the columns is refused whole, with the reason",
        arguments: [
            ("nr,y,x,z\n1,49,8,3.9\n", "no column h"),
            ("nr,y,x,h,H\n1,49,8,3.9,4.5\n", "more than one column h"),
            ("n\0r\0,\0y\0\n\0", "text in UTF-16: save it as UTF-8"),
        ])
    func columns(_ text: String, _ reason: String) throws {
        do {
            _ = try list(text)
            Issue.record("it is read")
        } catch let error as ExtractError { #expect(error.reason == reason) }
    }

    @Test("A row with more fields than columns is named, and warned of without a number")
    func long() throws {
        let list = try list("nr,y,x,h\n1,49,1,8,2,4,1\n2,49,8,3.9,\n,,,\n3,49,8,4,1\n")
        #expect(list.entries.map(\.limit.value) == [nil, 3.9, nil])
        #expect(list.remarks.map(\.object) == ["x line 2", "x line 5"])
        #expect(list.remarks.allSatisfy { $0.outcome == .refused })
        #expect(list.rowCount == 3)
    }

    @Test("Excel's line that names the mark between fields is none of the list")
    func named() throws {
        let list = try list("sep=;\nnr;y;x;h\n7;49,0;8,0;3,9\n")
        #expect(list.entries.map(\.source) == ["x line 3"])
        #expect(list.entries.map(\.limit.value) == [3.9])
    }

    @Test(
        "A position may have its sides, and signs of other kinds",
        arguments: [
            ("49.1° N", "8.2° E", 49.1, 8.2), ("N49.1", "W 97.3", 49.1, -97.3),
            ("−27.5", "153", -27.5, 153), ("27.5S", "\u{A0}153 ", -27.5, 153),
            ("49,1", "8,2", 49.1, 8.2),
        ])
    func positions(_ y: String, _ x: String, _ latitude: Double, _ longitude: Double) throws {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(try list("y;x;h\n\(y);\(x);3.9\n").entries.map(\.place) == [place])
    }

    @Test(
        "A position that nobody can read is refused",
        arguments: ["49 06 00", "49°6'N", "-27.5 S", "0x31", "nan", "49.1 NE", "91", ""])
    func noPosition(_ y: String) throws {
        let list = try list("y;x;h\n\(y);8;3.9\n")
        #expect(list.entries.isEmpty)
        #expect(list.remarks.map(\.reason) == ["no position"])
    }

    @Test("A clearance of the inventory that is no number is named, and so is a row without one")
    func inventory() throws {
        let text = """
            STRUCTURE_NUMBER_008,RECORD_TYPE_005A,LAT_016,LONG_017,MIN_VERT_CLR_010
            A1,2,47303000,122154500,low
            A2,2,47303000,122154500,"4,2"
            A3,2,47303000,122154500,99.99
            """
        let fields = try #require(ListFields(format: "nbi"))
        let list = try BridgeList(bytes: Array(text.utf8), name: "x", fields)
        #expect(list.entries.map(\.limit.value) == [nil, 4.2])
        #expect(list.remarks.map(\.outcome) == [.refused, .leftOut])
        #expect(list.remarks.map(\.object) == ["x line 2", "x line 4"])
    }
}
