import Geodesy
import SystemTestKit
import Testing

@testable import RoadGraph

@Suite struct ListTests {
    private func list(_ text: String, _ fields: ListFields) throws -> BridgeList {
        let directory = TemporaryDirectory()
        TestData.write(Array(text.utf8), to: directory.file("list"))
        return try BridgeList(directory.file("list"), name: "x", fields)
    }

    private func format(_ name: String) throws -> ListFields {
        try #require(ListFields(format: name))
    }

    @Test("Washington's list: least clearances in feet and inches; high bridges limit nothing")
    func washington() throws {
        let text = """
            id,bridge,description,route,milepost,direction,lat,lon,min_clearance_ftin
            9,5/1,"SR 9 ""A"", UNDER X",005,0,B,47.6,-122.3,13 ft 6 in
            10,5/2,HIGH,005,0,B,47.6,-122.3,37 ft 7 in
            11,5/3,NOWHERE,005,0,B,,-122.3,13 ft 6 in
            """
        let list = try list(text, format("wsdot"))
        #expect(list.entries.map(\.id) == ["x-9"])
        #expect(list.entries.map(\.title) == ["SR 9 \"A\", UNDER X"])
        #expect(list.entries[0].limit.basis == .measured)
        #expect(abs((list.entries[0].limit.value ?? 0) - 4.1148) < 1e-9)
        #expect(list.rowsTaken == 1)
        #expect(list.remarks.map(\.object) == ["x line 3", "x line 4"])
        #expect(list.remarks.map(\.outcome) == [.leftOut, .refused])
    }

    @Test("Brisbane's list: a JSON array, metres, and the direction of travel")
    func brisbane() throws {
        let text = """
            [{"ASSET_ID": "8934 - 242", "Angle 2": -15.0, "Latitude": -27.48,
              "Longitude": 153.03, "Signed_Clearance": 4.6, "Description": "A under B"},
             {"ASSET_ID": "2", "Latitude": -27.48, "Longitude": 153.03, "Signed_Clearance": -9999}]
            """
        let list = try list(text, format("brisbane"))
        #expect(list.entries.map(\.direction) == [345])
        #expect(list.entries.map(\.limit.value) == [4.6])
        #expect(list.rowsTaken == 1)
        #expect(list.remarks.map(\.object) == ["x entry 2"])
    }

    @Test("The bridge inventory: positions without separators, clearances over and under")
    func inventory() throws {
        let text = """
            STRUCTURE_NUMBER_008,RECORD_TYPE_005A,LAT_016,LONG_017,VERT_CLR_OVER_MT_053,\
            VERT_CLR_UND_REF_054A,VERT_CLR_UND_054B,MIN_VERT_CLR_010
            A1,1,47303000,122154500,99.99,H,4.2,99.99
            A2,1,47303000,122154500,4.5,N,0,4.5
            A3,2,47303000,122154500,,,,3.9
            A4,1,47303000,122154500,99.99,R,5.5,99.99
            """
        let list = try list(text, format("nbi"))
        #expect(list.entries.map(\.id) == ["x-A1", "x-A2", "x-A3"])
        #expect(list.entries.map(\.limit.value) == [4.2, 4.5, 3.9])
        #expect(list.entries.map(\.level) == [.under, .over, .under])
        #expect(abs(list.entries[0].place.latitude - 47.508_333_3) < 1e-6)
        #expect(abs(list.entries[0].place.longitude + 122.262_5) < 1e-6)
    }

    @Test("Columns can be named, and a list without them is refused whole")
    func fields() throws {
        let fields = try ListFields(parsing: "id=Nr,latitude=Y,longitude=X,height=H")
        let entries = try list("nr,x,y,h\n7,8,49,12'6\"\n", fields).entries
        #expect(entries.map(\.id) == ["x-7"])
        #expect(entries.map(\.place) == [Coordinate(latitude: 49, longitude: 8)])
        #expect(throws: ExtractError.self) { try list("a,b\n1,2\n", fields) }
        #expect(throws: ExtractError.self) { try list("", fields) }
        #expect(throws: ExtractError.self) { try list("nr,x,y,h\n\"7,8", fields) }
        #expect(throws: ExtractError.self) { try ListFields(parsing: "id=Nr,height=H") }
        #expect(throws: ExtractError.self) { try ListFields(parsing: "nonsense") }
    }

    /// Of `height`, with ids and places made up.
    private func heights(_ column: String, _ values: [String], _ units: String = "") throws
        -> BridgeList
    {
        var fields = try ListFields(parsing: "id=nr,latitude=y,longitude=x,height=\(column)")
        try fields.setUnits(parsing: units)
        let rows = values.enumerated().map { number, value in
            let quoted = value.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
            return "\(number),32.\(number),-97.3,\"\(quoted)\"\n"
        }
        return try list("nr,y,x,\(column)\n" + rows.joined(), fields)
    }

    @Test(
        "Numbers are in the unit that is given, or that the column's name ends with",
        arguments: [
            ("H", "height=ft", 13.5, 4.1148), ("H", "height=inches", 162, 4.1148),
            ("H", "height=cm", 411, 4.11), ("H", "height=mm", 4115, 4.115),
            ("height_ft", "", 13.5, 4.1148), ("Clearance (ft)", "", 13.5, 4.1148),
            ("maxheight [cm]", "", 411, 4.11), ("CLR_MM", "", 4115, 4.115),
            ("HeightFeet", "", 13.5, 4.1148), ("Height in feet", "", 13.5, 4.1148),
            ("clearance (ft-in)", "", 13.5, 4.1148), ("Vert Clr (in.)", "", 162, 4.1148),
            ("height_m", "", 4.1, 4.1), ("height_ft", "height=m", 4.1, 4.1),
            ("Höhe (Fuß)", "", 6.5, 1.9812), ("Hauteur (pieds)", "", 6.5, 1.9812),
            ("Altura en pies", "", 6.5, 1.9812), ("Altezza (piedi)", "", 6.5, 1.9812),
            ("Hoogte [voet]", "", 6.5, 1.9812), ("FT", "", 6.5, 1.9812), ("Feet", "", 6.5, 1.9812),
            ("CLRFT", "", 6.5, 1.9812), ("clrft", "", 6.5, 1.9812), ("ft_clr", "", 6.5, 1.9812),
            ("Height_ft (posted)", "", 6.5, 1.9812), ("height (ft or m)", "", 6.5, 1.9812),
            ("clearance in ft above road", "", 6.5, 1.9812), ("Höhe in cm", "", 411, 4.11),
            ("Height (imperial)", "", 6.5, 1.9812), ("Height (')", "", 6.5, 1.9812),
            ("height left", "", 4.1, 4.1), ("Min in Lane", "", 4.1, 4.1), ("M", "", 4.1, 4.1),
            ("Altura en metros", "", 4.1, 4.1), ("height_mt", "", 4.1, 4.1),
        ])
    func units(_ column: String, _ units: String, _ number: Double, _ metres: Double) throws {
        let list = try heights(column, ["\(number)", "13'6\""], units)
        #expect(abs((list.entries.first?.limit.value ?? 0) - metres) < 1e-9)
        #expect(abs((list.entries.last?.limit.value ?? 0) - 4.1148) < 1e-9)
        #expect(list.question == nil)
        #expect(list.remarks.isEmpty)
    }

    @Test("A column whose name says nothing, with numbers that cannot be metres, is asked about")
    func asked() throws {
        let list = try heights("CLR", ["13.5", "12.9", "4115", "411", "8.5"])
        #expect(list.question?.contains("--unit height=UNIT") == true)
        #expect(list.remarks.map(\.object) == [2, 3, 4, 5].map { "x line \($0)" })
        #expect(list.remarks.allSatisfy { $0.outcome == .refused })
        // Bridges of 7.5 to 9.9 m are no low ones.
        #expect(try heights("CLR", ["8.5", "9.1", "7.9"]).question != nil)
        #expect(try heights("CLR", ["8.5", "4.1", "3.9", "13.5"]).question == nil)
        #expect(try heights("CLR", ["13'6\"", "12'", "13.5 ft"]).question == nil)
        #expect(try heights("CLR", ["13.5"], "height=m").question == nil)
        #expect(throws: ExtractError.self) { try heights("H", [], "height=t") }
        #expect(throws: ExtractError.self) { try heights("H", [], "height") }
    }

    @Test("Every row that is not taken is named, with why")
    func named() throws {
        let list = try heights(
            "H", ["3.9", "13.5", "0", "-9999", "none", "", "n/a", "12 m", "default", "0.4"])
        #expect(list.rowCount == 10)
        // What is 13.5 or 0.4 here, nobody knows: warned of without a number.
        #expect(list.entries.map(\.limit.value) == [3.9, nil, nil])
        #expect(list.rowsTaken == 3)
        #expect(list.remarks.map(\.object) == (3...11).map { "x line \($0)" })
        #expect(list.remarks.allSatisfy { $0.outcome != .doubtful && !$0.reason.isEmpty })
    }

    @Test("All nines stand for no value, where they cannot be one")
    func nines() throws {
        let none = try heights("H", ["3.9", "99.99", "999", "9999", "99"])
        #expect(none.entries.map(\.limit.value) == [3.9])
        #expect(none.remarks.map(\.outcome) == [.leftOut, .leftOut, .leftOut, .leftOut])
        #expect(none.question == nil)
        #expect(try heights("H", ["99"], "height=in").entries.count == 1)
    }

    @Test("A height that nobody can read is warned of without a number, and named")
    func unread() throws {
        let list = try heights("H", ["see plan", "14' EB, 13'6\" WB"])
        #expect(list.entries.map(\.limit.basis) == [.belowDefault, .signed])
        #expect(list.entries[0].limit.value == nil)
        #expect(abs((list.entries[1].limit.value ?? 0) - 4.1148) < 1e-9)
        #expect(list.remarks.map(\.outcome) == [.refused, .doubtful])
    }

    @Test(
        "Lines may end in any way, and fields be divided by semicolons or tabs",
        arguments: [
            "nr,y,x,h\r7,49,8,3.9\r", "nr,y,x,h\r\n7,49,8,3.9\r\n", "nr;y;x;h\n7;49,0;8,0;3,9\n",
            "nr\ty\tx\th\n7\t49\t8\t3.9\n", "nr, y, x, h\n7, 49, 8, 3.9\n",
            "nr\u{A0},y,x,h\u{A0}\n7,49,8,3.9\n",
        ])
    func table(_ text: String) throws {
        let list = try list(
            text, ListFields(parsing: "id=nr,latitude=y,longitude=x,height=h"))
        #expect(list.entries.map(\.place) == [Coordinate(latitude: 49, longitude: 8)])
        #expect(list.entries.map(\.limit.value) == [3.9])
        #expect(list.entries.map(\.source) == ["x line 2"])
    }

    @Test("Marks of feet and inches are read in a code page of Windows, too")
    func windows() throws {
        let directory = TemporaryDirectory()
        let header = Array("y,x,h\n49,8,13".utf8)
        TestData.write(
            header + [0x92] + Array("6".utf8) + [0x94, 0x0A], to: directory.file("list"))
        let list = try BridgeList(
            directory.file("list"), name: "x",
            ListFields(parsing: "latitude=y,longitude=x,height=h"))
        #expect(abs((list.entries.first?.limit.value ?? 0) - 4.1148) < 1e-9)
    }

    /// A street with a bridge over it, and a parallel street 20 m to the south.
    private func snapped(_ rows: String, _ fields: String = "title=t,direction=d") throws
        -> [(hazard: Hazard, network: RoadNetwork)]
    {
        var town = Town()
        town.road([town.node(-500, 0), town.node(500, 0)], ["name": "Mill Lane"])
        town.road(
            [town.node(0, -10), town.node(0, 500)], ["name": "High Road", "bridge": "yes"])
        town.road([town.node(-500, -20), town.node(500, -20)], ["ref": "B 3", "oneway": "yes"])
        let extract = try town.extract()
        let snapper = ListSnapper(extract.network, RoadGrid(extract.network))
        let list = try list(
            "id,lat,lon,h,t,d\n" + rows,
            ListFields(parsing: "id=id,latitude=lat,longitude=lon,height=h," + fields))
        return ListSnapper.hazards(list, snapper).hazards.map { ($0, extract.network) }
    }

    private func roads(_ hazard: Hazard, _ network: RoadNetwork) -> [String] {
        guard case .positions(let positions) = hazard.section else { return [] }
        return positions.map { network.name(of: network.way(of: $0.edge)) }
    }

    @Test(
        "A point is put on the road under the bridge that the text names, or the direction fits",
        arguments: [
            ("MILL LANE UNDER HIGH ROAD,", ["Mill Lane", "Mill Lane"], false),
            (",90", ["Mill Lane", "B 3"], true),
            (",270", ["Mill Lane"], false),
            ("B 3 UNDER MILL LANE,", ["B 3"], false),
        ])
    func snap(_ columns: String, _ names: [String], _ isDoubtful: Bool) throws {
        let found = try #require(try snapped("1,48.99991,8.0,3.5,\(columns)\n").first)
        #expect(roads(found.hazard, found.network) == names)
        #expect((found.hazard.limit.doubt != nil) == isDoubtful)
    }

    @Test("A point without a road within 30 m stays a point; ids of several are told apart")
    func cone() throws {
        let found = try snapped("1,48.999,8.0,3.5,,90\n1,48.999,8.0,3.6,,\n")
        #expect(found.map(\.hazard.id) == ["x-1", "x-1-2"])
        for (hazard, _) in found {
            guard case .point = hazard.section else {
                Issue.record("\(hazard.section)")
                continue
            }
        }
    }

    @Test("Of rows that mean the same place the lowest counts")
    func repeated() throws {
        let rows = "1,49.0,8.001,3.6,Mill Lane,\n2,49.0,8.001,3.5,Mill Lane,\n"
        let found = try snapped(rows + "3,48.9,8.0,3.5,,90\n4,48.9,8.0,3.5,,90\n")
        #expect(found.map(\.hazard.id) == ["x-2", "x-3"])
    }

    @Test("What differs by more than 0.15 m is told: of rows for one place, of a row and its road")
    func differing() throws {
        var town = Town()
        town.road(
            [town.node(-500, 0), town.node(500, 0)], ["name": "Mill Lane", "maxheight": "3.9"])
        let extract = try town.extract()
        let list = try list(
            """
            id,lat,lon,h
            1,49.0,8.001,3.6
            2,49.0,8.001,3.4
            3,49.0,8.002,3.75
            4,49.0,8.003,4.2

            """, ListFields(parsing: "id=id,latitude=lat,longitude=lon,height=h"))
        let found = ListSnapper.hazards(
            list, ListSnapper(extract.network, RoadGrid(extract.network)))
        #expect(found.hazards.map(\.id) == ["x-2", "x-3", "x-4"])
        func values(_ disagreements: [Disagreement]) -> [[Double?]] {
            disagreements.map { [$0.lower.limit.value, $0.higher.limit.value] }
        }
        #expect(values(found.disagreements) == [[3.4, 3.6]])
        let roads = HazardFinder(extract, HazardOptions()).hazards
        #expect(values(Disagreement.between(found.hazards, roads)) == [[3.4, 3.9], [3.9, 4.2]])
    }

    @Test("The approach to a place in the middle of a road ends there, from both sides")
    func approach() throws {
        let found = try #require(try snapped("1,49.0,8.001,3.5,Mill Lane,\n").first)
        var builder = ApproachBuilder(
            found.network, RoadGrid(found.network), hazards: [found.hazard])
        let approach = builder.approach(to: found.hazard)
        #expect(approach.legs.count == 2)
        let place = RoadPoint(Coordinate(latitude: 49, longitude: 8.001))
        for leg in approach.legs {
            #expect(leg.end == 0)
            #expect((leg.points.last?.distance(to: place) ?? 99) < 1)
        }
        #expect(approach.section.count == 2)
    }
}
