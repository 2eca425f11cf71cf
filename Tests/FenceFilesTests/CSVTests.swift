import FenceFiles
import Geodesy
import Model
import Testing
import Time

@Suite("fence files in CSV")
struct CSVTests {
    @Test(
        "a dump of the table loads as it is",
        arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
    func table(_ mark: String, _ end: String) throws {
        let lines = [
            "ID,Title,Description,Latitude,Longitude,Radius",
            "7,Low bridge,\"3.9 m, \"\"height\"\"\(end)ahead\",48.1,11.5,50",
            "8,,,-33.5,151.25,25.5",
        ]
        let content = FileContent(mark + lines.joined(separator: end))
        #expect(content.messages.isEmpty)
        #expect(content.fences.map(\.id) == ["7", "8"])
        let fence = try #require(content.fences.first)
        #expect(fence.title == "Low bridge")
        #expect(fence.description == "3.9 m, \"height\"\(end)ahead")
        #expect(
            fence.area?.geometry
                == .circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: 50))
        #expect(fence.metadata == "{}")
        #expect(content.lines == [2, 4])
    }

    @Test("known columns in any order and case, the others become metadata, empty ones nothing")
    func columns() throws {
        let content = FileContent(
            #"""
            radius , DWELL,Height,notify_on_entry,Notify_On_Exit,INITIAL_ENTER,longitude,id,note,latitude
            50,90.5,007,no,FALSE,1,11.5, bridge 7 ,"a ""b""",48.1

            50,,,,,,11.5,plain,,48.1
            """#)
        #expect(content.messages.isEmpty)
        let fence = try #require(content.fences.first)
        #expect(fence.id == "bridge 7")
        #expect(fence.dwell == .seconds(90.5))
        #expect(!fence.notifyOnEntry && !fence.notifyOnExit && fence.initialEnter)
        #expect(fence.metadata == #"{"Height":"007","note":"a \"b\""}"#)
        let plain = content.fences[1]
        #expect(plain.dwell == .zero && plain.notifyOnEntry && plain.notifyOnExit)
        #expect(!plain.initialEnter && plain.metadata == "{}")
        #expect(content.lines == [2, 4])
    }

    @Test(
        "a bad row is named with line, number, id and reason, and the others are read",
        arguments: [
            ("a,98,11.5,50", #"fence 2 ("a"): center has latitude 98.0, beyond 90 degrees"#),
            ("a,48.1,11.5,0", #"fence 2 ("a"): radius 0.0 is not above 0"#),
            ("a,48.1,11.5,", #"fence 2 ("a"): no radius"#),
            (",48.1,11.5,50", #"fence 2 (""): the id is empty"#),
            ("a,48.1,11.5", #"fence 2: 3 fields, the header has 4"#),
            ("a,48.1,11.5,50,6", #"fence 2: 5 fields, the header has 4"#),
            ("a,nan,11.5,50", #"fence 2 ("a"): latitude "nan" is no number"#),
            ("a,0x10,11.5,50", #"fence 2 ("a"): latitude "0x10" is no number"#),
            ("a,48.1,11.5,1e999", #"fence 2 ("a"): radius "1e999" is no number"#),
            ("a,48.1,11.5,50 m", #"fence 2 ("a"): radius "50 m" is no number"#),
            ("a,\"48,1\",11.5,50", #"fence 2 ("a"): latitude "48,1" is no number"#),
            ("\"a\"b,48.1,11.5,50", #"fence 2: text behind a closing quote"#),
            ("a\u{1},48.1,11.5,50", "fence 2 (\"a\\u{1}\"): the id has a control character"),
        ])
    func badRows(_ row: String, _ message: String) {
        let content = FileContent(
            "id,latitude,longitude,radius\ngood,48,11,50\n\(row)\ngood,48,11,50\n")
        #expect(content.messages == ["f:3: " + message])
        #expect(content.fences.count == 2)
    }

    @Test("an invalid flag, and bytes that are not UTF-8, are refused")
    func badCells() {
        let flag = FileContent("id,latitude,longitude,radius,initial_enter\na,1,2,3,maybe")
        #expect(
            flag.problems.map(\.reason) == ["initial_enter \"maybe\" is neither true nor false"])
        let latin = Array("id,latitude,longitude,radius\n".utf8) + [0xFC] + Array(",1,2,30".utf8)
        let content = FileContent(FenceFileReader(latin, name: "f"))
        #expect(content.problems.map(\.reason) == ["not UTF-8"])
    }

    @Test(
        "an unusable header or an unterminated quote: the whole file is refused",
        arguments: [
            (
                "name,lat,lon\n1,2,3", 1,
                "neither JSON nor XML, and as CSV the header lacks id, radius; it has \"name\", "
                    + #""lat", "lon""#
            ),
            (
                "id,latitude,longitude\n", 1,
                "neither JSON nor XML, and as CSV the header lacks radius; it has \"id\", "
                    + #""latitude", "longitude""#
            ),
            ("id,latitude,longitude,radius,ID\n", 1, "column ID comes twice"),
            ("id,latitude,longitude,radius\n\n\"a,1,2,30\n", 3, "a quote that does not end"),
            ("", 1, "the file is empty"), (" \n\t\n", 1, "the file is empty"),
            ("\u{FEFF}", 1, "the file is empty"),
        ])
    func badFiles(_ text: String, _ line: Int, _ reason: String) {
        let content = FileContent(text)
        #expect(content.fences.isEmpty)
        #expect(
            content.problems == [
                FenceFileProblem(file: "f", line: line, reason: reason, isFatal: true)
            ])
    }

    @Test("an unterminated quote is not read into memory without limit")
    func endlessQuote() {
        let text = "id,latitude,longitude,radius\n\"" + String(repeating: "x\n", count: 700_000)
        #expect(FileContent(text).problems.map(\.reason) == ["a row of more than 524288 bytes"])
    }

    @Test("rows longer than the buffer, at any position of its edge")
    func edges() {
        for padding in 65_480..<65_560 {
            let filler = String(repeating: "f", count: padding - 40)
            let content = FileContent(
                "id,latitude,longitude,radius,n\na,1,2,30,\(filler)\n\"b\"\"\",1,2,30,\r\n")
            #expect(content.fences.last?.id == "b\"", "\(padding)")
            #expect(content.fences.count + content.problems.count == 2)
        }
    }
}
