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

    /// Of `height`, with the other columns as they are.
    private func split(
        _ columns: String, _ cells: String, _ height: String, units: String = ""
    ) throws -> BridgeList {
        var fields = try ListFields(parsing: "latitude=y,longitude=x,height=\(height)")
        try fields.setUnits(parsing: units)
        return try BridgeList(
            bytes: Array(
                "y;x;\(columns)\n\(cells.hasPrefix("ft") ? ";;" : "49;8;")\(cells)\n".utf8),
            name: "x", fields)
    }

    @Test(
        "A height in two columns is one, whichever of the two is named",
        arguments: [
            ("clearance_ft;clearance_in", "clearance_ft"),
            ("clearance_ft;clearance_in", "clearance_in"),
            ("feet;inches", "feet"), ("ft;in", "ft"), ("CLR_FT;CLR_IN", "CLR_FT"),
            ("HeightFeet;HeightInches", "HeightFeet"), ("ft_clr;in_clr", "ft_clr"),
            ("Height (ft);Height (in.)", "Height (ft)"), ("clrft;clrin", "clrft"),
            ("Clearance (ft);Inches", "Clearance (ft)"), ("Höhe Fuß;Höhe Zoll", "Höhe Fuß"),
            ("Clearance (');Clearance (\"\")", "Clearance (')"), ("pieds;pouces", "pieds"),
        ])
    func twoColumns(_ columns: String, _ height: String) throws {
        let header = columns.contains("\"") ? "Clearance (');\"Clearance (\"\")\"" : columns
        let list = try split(header, "13;6", height)
        #expect(abs((list.entries.first?.limit.value ?? 0) - 4.1148) < 1e-9)
        #expect(list.entries.first?.limit.sign == "13 ft 6 in")
        #expect(list.remarks.isEmpty && list.question == nil)
        #expect(list.splits[.height]?.unit == .foot)
    }

    @Test(
        "Two columns may say the same twice, lack one of the two, or not fit: then the lower counts",
        arguments: [
            ("13;", 3.9624, false), ("13;0", 3.9624, false), ("13;-9999", 3.9624, false),
            ("13;99", 3.9624, false), ("13;156", 3.9624, false), ("13.5;162", 4.1148, false),
            ("13.5;6", 4.1148, false), ("13,5;6", 4.1148, true), ("13.5;9", 4.1148, true),
            ("14;162", 4.1148, true), ("0;162", 4.1148, false), (";162", 4.1148, false),
            ("13';6", 4.1148, false), ("13'6\"\"\"", 4.1148, false), ("13;n/a", 3.9624, true),
            ("13;6.5", 4.1275, false), ("13.0;6.0", 4.1148, false),
            ("14 ft;162", 4.1148, true), ("13-6;0", 4.1148, false),
        ])
    func parts(_ cells: String, _ metres: Double, _ isDoubtful: Bool) throws {
        let cells = cells.contains("\"") ? "\"13'6\"\"\";" : cells
        let list = try split("clearance_ft;clearance_in", cells, "clearance_ft")
        let limit = try #require(list.entries.first?.limit)
        #expect(abs((limit.value ?? 0) - metres) < 1e-9, "\(limit)")
        #expect((limit.doubt != nil) == isDoubtful, "\(limit)")
    }

    @Test(
        "A row of units tells of such columns, too",
        arguments: ["clr;clr2", "Clearance;", "clr_1;clr_2", "Height;Height_in"])
    func unitRows(_ columns: String) throws {
        let name = String(columns.prefix { $0 != ";" })
        let list = try split(columns, "ft;in\n49;8;13;6", name)
        #expect(list.entries.map(\.limit.sign) == ["13 ft 6 in"])
        let other = try split("clr;sign", "ft;in\n49;8;13;6", "clr")
        #expect(other.remarks.filter { $0.outcome == .doubtful }.map(\.tag) == ["sign"])
    }

    @Test("Metres and centimetres, tonnes and kilograms are two such columns as well")
    func metric() throws {
        #expect(try split("h_m;h_cm", "4;5", "h_m").entries.map(\.limit.value) == [4.05])
        #expect(try split("h;h_cm", "4.05;405", "h").entries.map(\.limit.value) == [4.05])
        let fields = try ListFields(parsing: "latitude=y,longitude=x,weight=w_t")
        let list = try BridgeList(
            bytes: Array("y,x,w_t,w_kg\n49,8,7,500\n".utf8), name: "x", fields)
        #expect(list.entries.map(\.limit.value) == [7.5])
    }

    @Test("A row without either has no value, and inches that nobody can place are named")
    func apart() throws {
        let none = try split("ft;in", "0;0", "ft")
        #expect(none.entries.isEmpty && none.remarks.map(\.reason) == ["stands for no value"])
        let other = try split("clearance_ft;sign_in", "13;6", "clearance_ft")
        #expect(other.remarks.map(\.tag) == ["sign_in"])
        #expect(other.remarks.map(\.outcome) == [.doubtful])
        #expect(try split("h;h_in", "4.1;161", "h").remarks.isEmpty)
        let given = try split("CLR;CLR_IN", "13;6", "CLR", units: "height=ft")
        #expect(abs((given.entries.first?.limit.value ?? 0) - 4.1148) < 1e-9)
    }

    /// With the columns `k` for that kind.
    private func limits(_ kind: String, _ values: [String]) throws -> BridgeList {
        let fields = try ListFields(parsing: "latitude=y,longitude=x,\(kind)=k")
        let rows = values.map { "49,8,\($0)\n" }.joined()
        return try BridgeList(bytes: Array("y,x,k\n\(rows)".utf8), name: "x", fields)
    }

    @Test("Weights that cannot be tonnes are asked about, and guessed in pounds where they are few")
    func weights() throws {
        #expect(
            try limits("weight", ["20000", "36000", "12000"]).question?
                .contains("--unit weight=UNIT, one of t, kg, lb, st") == true)
        let few = try limits("weight", ["10", "20", "15", "12", "36000", "800", "80000", "300"])
        #expect(few.question == nil)
        let values = few.entries.map { (($0.limit.value ?? 0) * 1000).rounded() }
        #expect(values == [10_000, 20_000, 15_000, 12_000, 16_329, 800, 36_287])
        #expect(few.guessed == [.weight: 3])
        #expect(few.remarks.map(\.outcome) == [.doubtful, .doubtful, .doubtful, .refused])
    }

    @Test("Widths and lengths that cannot be metres are guessed: nobody would be warned of them")
    func others() throws {
        func centimetres(_ list: BridgeList) -> [Double] {
            list.entries.map { (($0.limit.value ?? 0) * 100).rounded() }
        }
        let widths = try limits("width", ["2.5", "2.3", "12", "350"])
        #expect(centimetres(widths) == [250, 230, 366, 350])
        #expect(widths.guessed == [.width: 2] && widths.question == nil)
        #expect(try centimetres(limits("length", ["12", "10", "80"])) == [1200, 1000, 2438])
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
