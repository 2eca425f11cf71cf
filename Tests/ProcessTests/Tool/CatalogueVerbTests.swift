import Formats
import FormatsTestKit
import Geodesy
import JSON
import Model
import Monitoring
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct CatalogueVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    @Test("an added circle is listed, shown and removed")
    func addAndRemove() throws {
        let added = try daemon.run(
            "add", "bridge", "--circle", "48.1,-11.5,50", "--title", "Low bridge", "--dwell", "60",
            "--no-exit", "--meta", "height=3.4", "--meta", "road=A 9")
        #expect(added == .init(status: 0, output: "", errors: ""))
        #expect(try daemon.run("list").output == "bridge\tcircle 50 m\tLow bridge\t\n")

        let feature = try #require(try daemon.json("show", "bridge").first)
        #expect(feature["type"]?.string == "Feature")
        #expect(feature["id"]?.string == "bridge")
        #expect(feature["geometry"]?["coordinates"]?[0]?.double == -11.5)
        #expect(feature["properties"]?["radius"]?.double == 50)
        #expect(feature["properties"]?["dwell"]?.double == 60)
        #expect(feature["properties"]?["notify_on_exit"]?.bool == false)
        #expect(feature["properties"]?["height"]?.double == 3.4)
        #expect(feature["properties"]?["road"]?.string == "A 9")
        #expect(feature["presence"]?.string == "unknown")
        let shown = try daemon.run("show", "bridge").output
        #expect(shown.contains("title       Low bridge\n"))
        #expect(shown.contains("silent on   exit\n"))

        let removed = try daemon.json("remove", "bridge")
        #expect(removed.first?["generation"]?.integer == 2)
        #expect(try daemon.run("list").output.isEmpty)
    }

    @Test("any area is added from GeoJSON, the options before its properties")
    func addGeoJSON() throws {
        let line = #"{"type":"LineString","coordinates":[[11,48],[11.1,48]]}"#
        _ = try daemon.json("add", "road", "--geojson", "-", "--width", "30", input: line)
        let feature = """
            {"type":"Feature","id":"x","properties":{"title":"old","colour":"red"},
            "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}
            """
        let path = daemon.directory.write(feature, to: "area.geojson")
        _ = try daemon.json("add", "area", "--geojson", path, "--title", "new")
        #expect(
            try daemon.run("list").output
                == "area\tpolygon\tnew\t\nroad\tcorridor 30 m\t\t\n")
        #expect(try daemon.json("show", "area")[0]["properties"]?["colour"]?.string == "red")
    }

    struct BadFence: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var complaint: String
        var status: Int32 = 1
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "an invalid fence is refused before the daemon is called",
        arguments: [
            BadFence(
                arguments: ["a"],
                complaint: "needs one of the three: --circle, --geojson or --beacon",
                status: 2),
            BadFence(
                arguments: ["a", "--circle", "1,2"], complaint: "not LAT,LON,RADIUS: --circle 1,2",
                status: 2),
            BadFence(
                arguments: ["a", "--circle", "12.1,490,40"],
                complaint: "longitude 490.0 is outside -180…180: --circle 12.1,490,40", status: 2),
            BadFence(
                arguments: ["a", "--circle", "112.1,49,40"],
                complaint: "latitude 112.1 is outside -90…90: --circle 112.1,49,40", status: 2),
            BadFence(
                arguments: ["a", "--circle", "1,2,3", "--meta", "x"],
                complaint: "not KEY=VALUE: --meta x", status: 2),
            BadFence(
                arguments: ["a", "--circle", "1,2,-3"],
                complaint: "radius -3.0 is not above 0: fence \"a\""
            ),
            BadFence(
                arguments: ["a", "--circle", "1,2,3", "--companion"],
                complaint: "only beacons have it: --companion", status: 2),
            BadFence(
                arguments: ["a", "--geojson", "/nonexistent"],
                complaint: "No such file or directory: /nonexistent"),
        ])
    func badFence(_ bad: BadFence) throws {
        let run = daemon.start(["add"] + bad.arguments)
        let ending = try #require(try daemon.loop.run(untilEndOf: run))
        let hint = bad.status == 2 ? "; see geofencectl --help" : ""
        #expect(ending.errors == "geofencectl: \(bad.complaint)\(hint)\n")
        #expect(ending.status == bad.status)
    }

    @Test("more fences than one answer holds are all listed and exported, in order")
    func pages() throws {
        for number in 0..<8 { try daemon.add("f\(number)", east: Double(number) * 500) }
        let ids = try daemon.json("list").compactMap { $0["id"]?.string }
        #expect(ids == (0..<8).map { "f\($0)" })
        let collection = try JSONValue(parsing: try daemon.run("export").output)
        #expect(collection["features"]?.array?.count == 8)
        let sequence = try daemon.run("export", "--format", "seq").output
        #expect(sequence.utf8.filter { $0 == 0x1E }.count == 8)
        #expect(try daemon.json("export").count == 8)
    }

    @Test("exported fences are imported unchanged", arguments: ["geojson", "seq", "csv", "kml"])
    func roundTrip(_ format: String) throws {
        try daemon.add("a", east: 0, title: "with \"quotes\"\u{301}, and more")
        try daemon.add("b", east: 500)
        let before = try daemon.run("export").output
        let file = try daemon.run("export", "--format", format).output
        _ = try daemon.run("remove", "a", "b")
        let report = try daemon.json("import", "-", input: file)
        #expect(report.first?["changed"]?.integer == 2)
        #expect(try daemon.run("export").output == before)
    }

    @Test("csv and gpx cannot express a polygon, and kml can", arguments: ["csv", "gpx"])
    func polygon(_ format: String) throws {
        let polygon = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
        _ = try daemon.run("add", "p", "--geojson", "-", input: polygon)
        let ending = try daemon.run("export", "--format", format)
        #expect(
            ending.errors
                == "geofencectl: no circle, which \(format.uppercased()) cannot say: fence \"p\"\n")
        #expect(ending.status == 1)
        let before = try daemon.run("export").output
        let file = try daemon.run("export", "--format", "kml").output
        #expect(
            file.contains("<outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates>")
        )
        _ = try daemon.run("remove", "p")
        #expect(try daemon.run("import", "-", input: file).status == 0)
        #expect(try daemon.run("export").output == before)
    }

    @Test("a waypoint is a circle, and comes back as one")
    func circleAsWaypoint() throws {
        try daemon.add("a", east: 0, title: "Tor <& Hof>")
        let file = try daemon.run("export", "--format", "gpx").output
        #expect(file.contains("<desc>Tor &lt;&amp; Hof&gt;</desc>"))
        let circle = try JSONValue(parsing: try daemon.run("export").output)["features"]?[0]
        _ = try daemon.run("remove", "a")
        #expect(try daemon.run("import", "-", input: file).status == 0)
        let back = try JSONValue(parsing: try daemon.run("export").output)["features"]?[0]
        #expect(back?["geometry"] == circle?["geometry"] && back?["id"] == circle?["id"])
        #expect(back?["properties"]?["radius"] == circle?["properties"]?["radius"])
    }

    @Test("an import names every refused entry and stores nothing")
    func badImport() throws {
        let path = daemon.directory.write(
            "id,latitude,longitude,radius\na,1,2,50\nb,91,2,50\nc,1,2,0\n", to: "bad.csv")
        let ending = try daemon.run("import", path)
        let lines = ending.errors.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0].hasPrefix("geofencectl: fence 2 (\"b\"): "))
        #expect(lines[0].hasSuffix(": \(path):3"))
        #expect(lines[1].hasPrefix("geofencectl: fence 3 (\"c\"): "))
        #expect(lines[2] == "geofencectl: 2 refused, nothing imported: \(path)")
        #expect(ending.status == 1)
        #expect(try daemon.run("list").output.isEmpty)
    }

    @Test("an import of too many ends with the first one beyond, and the file is not read again")
    func tooMany() throws {
        var settings = MonitoringSettings()
        settings.fenceLimit = 3
        let daemon = try ServedDaemon(settings: settings)
        try daemon.add("own", east: 0)
        // Those behind the limit, one of which is refused, are not read.
        let path = daemon.directory.write(
            "id,latitude,longitude,radius\na,1,2,50\nb,1,2,50\nc,1,2,50\nd,1,2,0\na,1,2,50\n",
            to: "many.csv")
        let ending = try daemon.run("import", path)
        #expect(ending.errors.hasPrefix("geofencectl: more than 3 fences"))
        #expect(ending.errors.split(separator: "\n").count == 1)
        #expect(ending.status == 1)
        #expect(try daemon.run("list").output.split(separator: "\n").count == 1)
    }

    @Test("an import removes fences that the file does not have, if requested")
    func replace() throws {
        try daemon.add("old", east: 0)
        let path = daemon.directory.write(
            "id,latitude,longitude,radius\nnew,1,2,50\n", to: "new.csv")
        let ending = try daemon.run("import", "--replace", path)
        #expect(ending.output == "\(path): 1 new or changed, 1 removed\n")
        #expect(try daemon.run("list").output == "new\tcircle 50 m\t\t\n")
    }

    @Test("a named origin is imported, listed, shown, replaced and removed, and no other's fences")
    func origins() throws {
        try daemon.add("own", east: 0)
        let header = "id,latitude,longitude,radius\n"
        let five = daemon.directory.write(
            header + (0..<5).map { "d\($0),1,\($0),50\n" }.joined() + "own,1,2,50\n", to: "5.csv")
        let made = try daemon.run("import", "--origin", "source/depots", five)
        #expect(made.output == "\(five): 5 new or changed, 0 removed\n")
        #expect(
            made.errors.contains("belongs to the bus; the entry of source/depots is left out"))
        let line = "circle 50 m\t\tsource/depots\n"
        #expect(
            try daemon.run("list", "--origin", "source/depots").output
                == (0..<5).map { "d\($0)\t\(line)" }.joined())
        #expect(try daemon.json("list", "--origin", "bus").map { $0["id"]?.string } == ["own"])
        #expect(try daemon.json("list").count == 6)
        #expect(try daemon.json("show", "d1").first?["origin"]?.string == "source/depots")
        #expect(try daemon.run("show", "d1").output.contains("origin      source/depots\n"))
        for options in [[], ["--replace"], ["--dry-run"]] {
            let own = daemon.directory.write(header + "own,1,2,50\n", to: "own.csv")
            let arguments = ["import", "--origin", "source/none"] + options + [own]
            let none = try #require(try daemon.loop.run(untilEndOf: daemon.start(arguments)))
            #expect(none.status == 1, "\(none)")
            #expect(none.errors.contains("every entry belongs to another origin: \(own)"))
        }
        // As it was, with an entry that is left out.
        #expect(try daemon.run("import", "--origin", "source/depots", five).status == 0)
        let one = daemon.directory.write(header + "d1,1,1,50\n", to: "1.csv")
        let replaced = try daemon.run("import", "--replace", "--origin", "source/depots", one)
        #expect(replaced.output == "\(one): 0 new or changed, 4 removed\n")
        let removed = try daemon.json("remove", "--origin", "source/depots")
        #expect(removed.first?["removed"]?.integer == 1)
        #expect(try daemon.run("list").output == "own\tcircle 100 m\t\t\n")
        #expect(try daemon.run("remove", "--origin", "bus").output == "bus: 1 removed\n")
        #expect(try daemon.run("list").output.isEmpty)
    }

    @Test(
        "an invalid origin is refused",
        arguments: [
            (["list", "--origin", "a/b/c"], "not bus, file:NAME or KIND/NAME: --origin a/b/c", 2),
            (["remove", "--origin", "bus", "x"], "not together with --origin: x", 2),
            (["remove"], "missing argument: ID…, or --origin NAME", 2),
            (["remove", "--origin", "source/x"], "no fence of this origin: source/x", 1),
        ] as [([String], String, Int32)])
    func badOrigin(_ arguments: [String], complaint: String, status: Int32) throws {
        let ending = try #require(try daemon.loop.run(untilEndOf: daemon.start(arguments)))
        let hint = status == 2 ? "; see geofencectl --help" : ""
        #expect(ending.errors == "geofencectl: \(complaint)\(hint)\n")
        #expect(ending.status == status)
    }

    @Test("the fences of a file are the administrator's")
    func fileOrigin() throws {
        let path = daemon.directory.write("id,latitude,longitude,radius\na,1,2,50\n", to: "a.csv")
        let ending = try daemon.run("import", "--origin", "file:a.csv", path)
        #expect(ending.status == 1)
        #expect(ending.errors.contains("administrator's"), "\(ending.errors)")
        #expect(try daemon.run("list").output.isEmpty)
    }

    @Test("waypoints get the radius of the command line")
    func waypoints() throws {
        let gpx = """
            <gpx version="1.1"><wpt lat="48" lon="11"><name>stop</name></wpt></gpx>
            """
        let without = try daemon.run("import", "-", input: gpx)
        #expect(without.status == 1)
        #expect(without.errors.contains("radius"))
        _ = try daemon.json("import", "-", "--radius", "75", input: gpx)
        #expect(try daemon.json("list").first?["properties"]?["radius"]?.double == 75)
    }

    @Test("every property that differs from its default is shown")
    func showsProperties() throws {
        let area = try Area(
            .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 50))
        func shown(_ properties: [FenceProperty]) throws -> String {
            let fence = Fence(id: "a", area: area).unusual(properties)
            let file = FenceFileWriter.feature(fence)
            let imported = try daemon.run("import", "-", input: file)
            #expect(imported.status == 0, "\(imported.errors)")
            return try daemon.run("show", "a").output
        }
        let plain = try shown([])
        for property in FenceProperty.fields {
            #expect(try shown([property]) != plain, "\(property.name)")
        }
    }

    @Test(
        "a file without an entry is refused, and what it would replace stays",
        arguments: [
            "id,lat,lon,radius\n", "id,lat,lon,radius\r", "sep=;\r\nid;lat;lon;radius\r\n",
            #"{"type":"FeatureCollection","features":[]}"#, "<gpx/>", "<kml/>",
        ], [[], ["--replace"], ["--replace", "--dry-run"]])
    func noEntry(_ text: String, _ options: [String]) throws {
        _ = try daemon.json("add", "a", "--circle", "1,2,50")
        func imports(_ more: [String]) throws -> Subprocess.Ending {
            try #require(
                try daemon.loop.run(
                    untilEndOf: daemon.start(["import", "-"] + options + more, input: text)))
        }
        let run = try imports([])
        #expect(run.status == 1)
        #expect(run.errors.contains("no fence in it: "), "\(run)")
        #expect(try daemon.json("list").count == 1)
        let allowed = try imports(["--allow-empty"])
        #expect(allowed.status == 0, "\(allowed)")
        #expect(try daemon.json("list").count == (options == ["--replace"] ? 0 : 1))
    }

    @Test("waypoints of one name are imported under ids of their own, with a notice")
    func twins() throws {
        let gpx = """
            <gpx><wpt lat="48" lon="11"><name>P</name></wpt><wpt lat="49" lon="11"><name>P</name></wpt></gpx>
            """
        let run = try daemon.run("import", "-", "--radius", "60", input: gpx)
        #expect(run.output == "-: 2 new or changed, 0 removed\n")
        #expect(
            run.errors.hasPrefix(
                "geofencectl: warning: 1 entry with a name that came before: ids were made"))
        #expect(try daemon.json("list").count == 2)
    }

    @Test("an area in another reference system is not added", arguments: ["crs", "srsName"])
    func reference(_ member: String) throws {
        let feature = """
            {"type":"Feature","\(member)":"EPSG:27700","properties":{"radius":5},
            "geometry":{"type":"Point","coordinates":[1,2]}}
            """
        let run = try daemon.run("add", "a", "--geojson", "-", input: feature)
        #expect(run.status == 1 && run.errors.contains("coordinates in EPSG:27700"), "\(run)")
    }

    @Test("a set without ids is imported under made ones, with a notice; again it is the same")
    func madeIDs() throws {
        let file = daemon.directory.write(
            "name,lat,lon\nA,48,11\nB,48.5,11\n", to: "published.csv")
        let first = try daemon.run("import", file, "--radius", "60")
        #expect(first.output == "\(file): 2 new or changed, 0 removed\n")
        #expect(
            first.errors.hasPrefix("geofencectl: warning: 2 entries without an id: ids were made"))
        #expect(
            try daemon.json("list").allSatisfy { $0["id"]?.string?.hasPrefix("fence-") == true })
        let again = try daemon.run("import", file, "--radius", "60", "--replace")
        #expect(again.output == "\(file): 0 new or changed, 0 removed\n")
        let named = try daemon.run(
            "import", file, "--radius", "60", "--replace", "--id-property", "name")
        #expect(named.output == "\(file): 2 new or changed, 2 removed\n")
        #expect(named.errors.isEmpty)
        #expect(try daemon.run("list").output == "A\tcircle 60 m\tA\t\nB\tcircle 60 m\tB\t\n")
    }

    @Test("a set is imported with the titles and the width that the command line names")
    func titlesAndWidth() throws {
        let text = """
            {"type":"Feature","id":"a","properties":{"NAMELSAD":"Washoe County","name":"Washoe"},
             "geometry":{"type":"LineString","coordinates":[[11,48],[11.1,48]]}}
            """
        let said = try daemon.run(
            "import", "-", "--width", "60", "--title-property", "NAMELSAD", input: text)
        #expect(said.errors.isEmpty)
        #expect(try daemon.run("list").output == "a\tcorridor 60 m\tWashoe County\t\n")
        let other = text.replacing(#""name":"Washoe""#, with: #""n":1"#)
        let misspelt = try daemon.run(
            "import", "-", "--width", "60", "--title-property", "NAME", input: other)
        #expect(misspelt.errors.contains("no entry has a title: is there a property NAME?"))
    }

    @Test("a misspelt property is imported as metadata, and asked about once")
    func misspelt() throws {
        let text = (1...3).map { id in
            #"{"type":"Feature","id":\#(id),"properties":{"radius":50,"dwel":60},"#
                + #""geometry":{"type":"Point","coordinates":[11,48]}}"# + "\n"
        }.joined()
        let ending = try daemon.run("import", "-", input: text)
        #expect(
            ending.errors
                == "geofencectl: warning: \"dwel\" is kept as metadata, in 3 of 3 entries, "
                + "first in line 1: is dwell meant?: standard input\n")
        #expect(ending.status == 0)
        #expect(try daemon.run("check", "-", input: text).output.contains("is dwell meant?"))
    }

    @Test("list shows those whose ids begin with a text, over any number of others")
    func prefix() throws {
        let others = (1000..<3200).map { "b\($0),48,11,50\n" }.joined()
        _ = try daemon.json(
            "import", "-",
            input: "id,lat,lon,radius\nab,48,11,50\nB,48,11,50\nb,48,11,50\n" + others
                + "ba,48,11,50\nbü,48,11,50\nc,48,11,50\n")
        func ids(_ prefix: String, _ more: String...) throws -> [String] {
            let run = daemon.start(["list", "--prefix", prefix] + more)
            let ending = try #require(try daemon.loop.run(untilEndOf: run))
            #expect(ending.errors.isEmpty && ending.status == 0)
            return ending.output.split(separator: "\n").map {
                $0.prefix { $0 != "\t" }.description
            }
        }
        #expect(try ids("b").count == 2203)
        #expect(try ids("b").first == "b")
        #expect(try ids("b1234") == ["b1234"])
        #expect(try ids("bü") == ["bü"])
        #expect(try ids("b20").count == 100)
        #expect(try ids("").count == 2206)
        #expect(try ids("d").isEmpty)
        #expect(try ids("b", "--origin", "source/x").isEmpty)
    }

    @Test("KML is imported, by its content")
    func kml() throws {
        let kml = """
            <kml><Placemark id="a"><name>A</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
            11,48 11.1,48 11.1,48.1 11,48</coordinates></LinearRing></outerBoundaryIs></Polygon>
            </Placemark></kml>
            """
        _ = try daemon.json("import", "-", input: kml)
        #expect(try daemon.run("list").output == "a\tpolygon\tA\t\n")
    }

    @Test("a file with swapped coordinates gives a warning before it is stored")
    func wrongWayRound() throws {
        let rows = [(51.5, -0.1), (53.5, -2.2), (53.8, -1.5)].enumerated().map {
            "\($0.offset),\($0.element.1),\($0.element.0),500"
        }
        let ending = try daemon.run(
            "import", "-", input: "id,lat,lon,radius\n" + rows.joined(separator: "\n"))
        #expect(ending.errors.contains("warning: latitude and longitude seem to be the wrong way"))
        #expect(ending.status == 0)
    }

    @Test("a dry run says what would be added, changed, removed and refused, and stores nothing")
    func dryRun() throws {
        let before = """
            {"type":"FeatureCollection","features":[
            \(point("same", #""radius":50,"b":1.50,"a":{"z":null,"y":[1,2]}"#)),
            \(point("edited", #""radius":50"#)),\(point("gone", #""radius":50"#))]}
            """
        _ = try daemon.json("import", "-", input: before)
        let after = """
            {"type":"FeatureCollection","features":[
            \(point("same", #""radius":50.0,"a":{"y":[1,2],"z":null},"b":1.5"#)),
            \(point("edited", #""radius":60"#)),\(point("new", #""radius":50"#))]}
            """
        let list = try daemon.run("export").output
        let without = try daemon.run("import", "-", "--dry-run", input: after)
        #expect(
            without.output == "changed edited\nadded new\n"
                + "-: 1 added, 1 changed, 0 removed, 1 unchanged, 0 refused; nothing stored\n")
        #expect(without.status == 0 && without.errors.isEmpty)
        let replacing = try daemon.json("import", "-", "--dry-run", "--replace", input: after)
        #expect(replacing.compactMap { $0["change"]?.string } == ["removed", "changed", "added"])
        #expect(replacing.last?["summary"]?["removed"]?.integer == 1)
        let bad = try daemon.run(
            "import", "-", "--dry-run", input: point("bad", #""radius":-1"#))
        #expect(bad.status == 1)
        #expect(bad.errors.hasPrefix("geofencectl: fence 1 (\"bad\"): radius"))
        #expect(bad.output.hasSuffix("1 refused; nothing stored\n"))
        #expect(try daemon.run("export").output == list)
    }

    private func point(_ id: String, _ properties: String) -> String {
        "{\"type\":\"Feature\",\"id\":\"\(id)\",\"properties\":{\(properties)},"
            + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[11,48]}}"
    }

    @Test("removing a fence that does not exist removes nothing")
    func removeUnknown() throws {
        try daemon.add("a", east: 0)
        let ending = try daemon.run("remove", "a", "b")
        #expect(ending.errors == "geofencectl: there is no fence \"b\"\n")
        #expect(ending.status == 1)
        #expect(try daemon.json("list").count == 1)
    }
}
