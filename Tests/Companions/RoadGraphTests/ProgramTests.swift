import Foundation
import JSON
import SystemTestKit
import Testing

@Suite struct ProgramTests {
    private func run(_ arguments: [String]) throws -> Subprocess.Ending {
        let program = Subprocess([builtProgram("geofenced-roads")] + arguments)
        return try #require(program.wait(seconds: 60))
    }

    private func features(_ text: String) throws -> [JSONValue] {
        let members = try #require(try JSONValue(parsing: text).object)
        return try #require(members.first { $0.key == "features" }?.value.array)
    }

    @Test("An extract becomes a FeatureCollection, the same bytes every time")
    func compile() throws {
        let first = try run([TestData.path("krems.osm.gz")])
        #expect(first.status == 0)
        for _ in 0..<4 {
            let isSame = try run([TestData.path("krems.osm.gz")]).output == first.output
            #expect(isSame)
        }
        let features = try features(first.output)
        #expect(features.count == 4)
        for feature in features {
            let properties = try #require(feature["properties"])
            let lines = try #require(feature["geometry"]?["coordinates"]?.array)
            let legs = try #require(properties["legs"]?.array)
            #expect(properties["approach"]?.string == "corridor")
            #expect(legs.count == lines.count)
            #expect(properties["section"]?.array?.isEmpty == false)
            #expect(properties["limits"]?["source"]?.string?.hasPrefix("OpenStreetMap") == true)
        }
        #expect(first.errors.contains("height: 1 (3.5 ×1)"))
        #expect(first.errors.contains("coverage: "))
    }

    @Test("The door checks hold for every leg, also on private ground and for every kind")
    func legs() throws {
        for name in ["bus.osm.pbf", "krems.osm.gz"] {
            let ending = try run(["--private", TestData.path(name)])
            for feature in try features(ending.output) {
                let legs = try #require(feature["properties"]?["legs"]?.array)
                let lines = try #require(feature["geometry"]?["coordinates"]?.array)
                #expect(legs.count <= 5000)
                for (leg, line) in zip(legs, lines) {
                    let chance = try #require(leg["chance"]?.double)
                    #expect(chance > 0 && chance <= 1)
                    #expect(Set(line.array ?? []).count >= 2)
                    guard let next = leg["next"]?.integer.map(Int.init) else {
                        #expect(leg["end_m"]?.double == 0)
                        continue
                    }
                    #expect(chance <= legs[next]["chance"]?.double ?? 0)
                    #expect(line.array?.last == lines[next].array?.first)
                }
            }
        }
    }

    @Test("A failure leaves neither the file nor a part of it, and keeps what was there")
    func whole() throws {
        let directory = TemporaryDirectory()
        let output = directory.file("out.geojson")
        TestData.write(Array("before".utf8), to: output)
        TestData.write(
            Array(TestData.bytes("bus.osm.pbf").prefix(50_000)), to: directory.file("a.osm.pbf"))
        let failed = try run(["--output", output, directory.file("a.osm.pbf")])
        #expect(failed.status == 1)
        #expect(failed.errors.hasPrefix("geofenced-roads: PBF error: "))
        #expect(failed.errors.contains(directory.file("a.osm.pbf")))
        #expect(TestData.read(output) == Array("before".utf8))
        let entries = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(entries.sorted() == ["a.osm.pbf", "out.geojson"])
        let good = try run(["--output", output, TestData.path("bus.osm.pbf")])
        #expect(good.status == 0)
        #expect(good.output.isEmpty)
        #expect(TestData.read(output).starts(with: Array("{\"type\":\"FeatureColl".utf8)))
    }

    @Test("A list without an extract becomes cones, and says so")
    func cones() throws {
        let directory = TemporaryDirectory()
        TestData.write(
            Array("id,lat,lon,min_clearance_ftin\n7,47.6,-122.3,13 ft 6 in\n".utf8),
            to: directory.file("list.csv"))
        let ending = try run(["--list", directory.file("list.csv"), "--format", "wsdot"])
        #expect(ending.status == 0)
        let feature = try #require(try features(ending.output).first)
        #expect(feature["id"]?.string == "wsdot-7")
        #expect(feature["properties"]?["approach"]?.string == "cone")
        #expect(feature["properties"]?["limits"]?["height_m"]?.double == 4.1148)
        #expect(ending.errors.contains("cones: 1 "))
    }

    @Test(
        "A list in feet that does not say so is asked about; with the unit it is read, and summed up"
    )
    func units() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("list.csv")
        TestData.write(
            Array("NR,LAT,LON,CLR\n1,32.7,-97.3,13.5\n2,32.8,-97.3,12.9\n3,32.9,-97.3,8.5\n".utf8),
            to: path)
        let list = ["--list", path, "--fields", "id=NR,latitude=LAT,longitude=LON,height=CLR"]
        let asked = try run(list)
        #expect(asked.status == 1)
        #expect(asked.output.isEmpty)
        #expect(asked.errors.contains("refused: list line 2: 13.5: "))
        #expect(asked.errors.contains("--unit height=UNIT"))
        let read = try run(list + ["--unit", "height=ft"])
        #expect(read.status == 0)
        let limits = try features(read.output).map { $0["properties"]?["limits"] }
        #expect(limits.map { $0?["height_m"]?.double } == [4.1148, 3.9319, 2.5908])
        #expect(limits.map { $0?["sign"]?.string } == ["13.5 ft", "12.9 ft", "8.5 ft"])
        #expect(read.errors.contains("height without a unit: read as ft\n"))
        #expect(
            read.errors.contains(
                "rows of the list: 3, of which taken: 3, in doubt: 0, refused: 0, left out: 0\n"))
    }

    @Test(
        "A list of which no row can be used is a failure, and writes nothing",
        arguments: [
            "", "1,32.7,-97.3,see plan\n2,32.8,-97.3,n.n.\n", "1,,,3.9\n", "1,32.7,-97.3,12 m\n",
        ])
    func useless(_ rows: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.file("list.csv")
        TestData.write(Array("NR,LAT,LON,CLR\n\(rows)".utf8), to: path)
        let ending = try run([
            "--list", path, "--fields", "id=NR,latitude=LAT,longitude=LON,height=CLR",
            "--output", directory.file("out.geojson"),
        ])
        #expect(ending.status == 1)
        #expect(ending.errors.contains("no row of it has a limit that can be used"))
        #expect(ending.errors.contains("of which taken: "))
        let entries = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(entries == ["list.csv"])
    }

    @Test("Heights in two columns, and guessed weights, are in the summary")
    func columns() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("list.csv")
        TestData.write(
            Array("y,x,ft,in,w\n32.7,-97.3,13,6,10\n32.8,-97.3,12,,36000\n".utf8), to: path)
        let read = try run(
            ["--list", path, "--fields", "latitude=y,longitude=x,height=ft,weight=w"])
        #expect(read.status == 0)
        #expect(read.errors.contains("height in two columns: ft as ft, in as in\n"))
        #expect(read.errors.contains("weight without a unit: guessed, in 1 of 2 rows\n"))
        let heights = try features(read.output).compactMap {
            $0["properties"]?["limits"]?["height_m"]?.double
        }
        #expect(heights == [4.1148, 3.6576])
    }

    @Test(
        "Wrong usage is status 2",
        arguments: [
            [], ["--nonsense"], ["--output"], ["--height", "abc", "a.osm"],
            ["--height=0", "a.osm"],
            ["--kinds", "depth", "a.osm"], ["--list", "a.csv"], ["--format", "nbi"],
            ["--list", "a.csv", "--format", "none"], ["--list", "a", "--fields", "x"],
            ["--version=1"], ["--unit", "height=ft", "a.osm"],
            ["--list", "a", "--format", "nbi", "--unit", "height=kg"],
        ])
    func usage(_ arguments: [String]) throws {
        let ending = try run(arguments)
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("geofenced-roads: "))
        #expect(ending.errors.hasSuffix("; see geofenced-roads --help\n"))
    }

    @Test("Output that nobody reads, and a directory that is not there, are failures")
    func nowhere() throws {
        let bus = TestData.path("bus.osm.pbf")
        for output in ["/dev/full/x", "/nowhere/x"] {
            #expect(try run(["--output", output, bus]).status == 1)
        }
    }
}

extension JSONValue {
    /// The value of an object's member.
    fileprivate subscript(key: String) -> JSONValue? {
        object?.first { $0.key == key }?.value
    }
}
