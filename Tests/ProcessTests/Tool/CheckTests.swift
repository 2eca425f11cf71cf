import JSON
import SystemTestKit
import Testing

@Suite struct CheckTests {
    private let directory = TemporaryDirectory()

    private let bad = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":7,"properties":{"radius":-1},"geometry":{"type":"Point","coordinates":[1,2]}},
        {"type":"Feature","id":"a","properties":{"radius":10},"geometry":{"type":"Point","coordinates":[1,2]}},
        {"type":"Feature","id":"a","properties":{"radius":50},"geometry":{"type":"Point","coordinates":[1,2]}}
        ]}
        """
    private let good = "id,latitude,longitude,radius\nb,1,2,50\n"

    @Test("a good file is counted and passes")
    func passes() throws {
        let ending = try geofencectl("check", directory.write(good, to: "good.csv"))
        #expect(ending == .init(status: 0, output: "1 good, 0 refused\n", errors: ""))
    }

    @Test("every problem is named with its line, and the check fails")
    func names() throws {
        let path = directory.write(bad, to: "bad.geojson")
        let ending = try geofencectl("check", path)
        let lines = ending.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("error: \(path):2: fence 1 (\"7\"): radius"))
        #expect(lines[1].hasPrefix("warning: \(path):3: fence 2 (\"a\"): too small"))
        #expect(lines[2] == "error: \(path):4: fence 3 (\"a\"): the id came before in this file")
        #expect(lines[3] == "1 good, 1 of them doubtful, 2 refused")
        #expect(ending.status == 1)
    }

    @Test(
        "a file without a radius is told of the option that gives one",
        arguments: [
            ("f.csv", "id,latitude,longitude\nb,1,2\n"),
            ("f.csv", "id,latitude,longitude,radius\nb,1,2,\n"),
            ("f.gpx", #"<gpx><wpt lat="1" lon="2"><name>b</name></wpt></gpx>"#),
            (
                "f.geojson",
                #"{"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[1,2]}}"#
            ),
        ])
    func radius(_ name: String, _ text: String) throws {
        let path = directory.write(text, to: name)
        let ending = try geofencectl("check", path)
        #expect(ending.status == 1)
        #expect(ending.output.contains("; --radius M "), "\(ending)")
        #expect(try geofencectl("check", "--radius", "50", path).output == "1 good, 0 refused\n")
    }

    @Test("an id may come in one of several files only")
    func twins() throws {
        let first = directory.write(good, to: "first.csv")
        let ending = try geofencectl("check", first, directory.write(good, to: "second.csv"))
        #expect(
            ending.output.contains("second.csv:2: fence 1 (\"b\"): the id came before in \(first)"))
        #expect(ending.status == 1)
    }

    @Test("--json gives one object per finding and a summary")
    func json() throws {
        let ending = try geofencectl("check", "-", "--json", input: bad)
        let objects = try ending.output.split(separator: "\n").map {
            try JSONValue(parsing: String($0))
        }
        #expect(objects.compactMap { $0["severity"]?.string } == ["error", "warning", "error"])
        #expect(objects.compactMap { $0["line"]?.integer } == [2, 3, 4])
        #expect(objects.last?["summary"]?["refused"]?.integer == 2)
    }

    @Test(
        "a file without an entry is never good",
        arguments: ["id,lat,lon,radius\n", "id,lat,lon,radius\r", #"{"features":[]}"#, "<gpx/>"])
    func empty(_ text: String) throws {
        let ending = try geofencectl("check", "-", input: text)
        #expect(ending.output.hasPrefix("error: standard input: no fence in it: "))
        #expect(ending.output.hasSuffix("\n0 good, 1 refused\n") && ending.status == 1)
    }

    @Test("a file that is not there is refused and the others are checked")
    func missing() throws {
        let ending = try geofencectl("check", "/nonexistent", directory.write(good, to: "good.csv"))
        #expect(ending.output.contains("/nonexistent"))
        #expect(ending.output.hasSuffix("1 good, 1 refused\n"))
        #expect(ending.status == 1)
    }
}
