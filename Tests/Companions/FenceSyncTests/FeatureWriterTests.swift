import FenceSync
import JSON
import Testing

@Suite struct FeatureWriterTests {
    private func line(
        _ entry: String, _ map: FieldMap = FieldMap(), _ shape: PageReader.Shape = .odata
    ) throws -> String {
        let writer = FeatureWriter(map, idPrefix: "wh/", shape: shape)
        let line = try writer.feature(of: try JSONValue(parsing: entry)).line
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    @Test("A row of the classic table becomes a circle, numbers as text or not")
    func row() throws {
        let expected =
            #"{"type":"Feature","id":"wh/WDF01","geometry":{"type":"Point","coordinates":"#
            + #"[8.641362,49.293406]},"properties":{"title":"SAP SE","radius":200}}"#
        for radius in [#""200.0""#, "200", #""200""#] {
            #expect(
                try line(
                    #"{"ID":"WDF01","Title":"SAP SE","Description":null,"Latitude":"49.293406","#
                        + #""Longitude":8.641362,"Radius":\#(radius)}"#) == expected)
        }
    }

    @Test("Fields come from paths and constants, and metadata keeps dates as ISO 8601")
    func mapping() throws {
        var map = FieldMap()
        map.origins[.id] = .path(["Key", "No"])
        map.origins[.geometry] = .path(["Area"])
        map.origins[try #require(.named("NotifyOnExit"))] = .constant("yes")
        map.metadata = [["Plant"], ["ChangedAt"], ["Absent"]]
        #expect(
            try line(
                #"{"Key":{"No":7},"Area":"POINT(8 49)","Plant":"1000","#
                    + #""ChangedAt":"/Date(1517391000000)/","Radius":"5"}"#, map)
                == #"{"type":"Feature","id":"wh/7","geometry":{"type":"Point","coordinates":[8,49]},"#
                + #""properties":{"Plant":"1000","ChangedAt":"2018-01-31T09:30:00.000Z","#
                + #""radius":5,"notify_on_exit":true}}"#)
    }

    @Test("A Feature keeps its other properties, in an order that does not depend on the server's")
    func feature() throws {
        let ends = [
            #""b":1,"a":"x","radius":"87","width":"","gone":null"#,
            #""radius":"87","a":"x","gone":null,"width":"","b":1"#,
        ]
        let lines = try ends.map {
            try line(
                #"{"type":"Feature","id":"1","geometry":{"type":"Point","coordinates":[1,2]},"#
                    + #""properties":{\#($0)}}"#, FieldMap(), .features)
        }
        #expect(lines[0] == lines[1])
        #expect(lines[0].hasSuffix(#""properties":{"a":"x","b":1,"radius":87}}"#))
    }

    @Test(
        "A flawed row names its id and what is wrong",
        arguments: [
            (#"{"ID":"a","Latitude":91,"Longitude":8,"Radius":1}"#, "a", "latitude beyond ±90°"),
            (#"{"ID":"a","Latitude":"NaN","Longitude":8}"#, "a", "latitude: no number"),
            (#"{"ID":"a","Latitude":"INF","Longitude":8}"#, "a", "latitude: no number"),
            (#"{"ID":"a","Longitude":8}"#, "a", "no latitude"),
            (#"{"ID":"a","Latitude":1,"Longitude":8,"Radius":{}}"#, "a", "radius: no number"),
            // The messages of geofencectl check.
            (#"{"ID":"a","Latitude":1,"Longitude":8}"#, "a", "a Point without radius"),
            (
                #"{"ID":"\u0007","Latitude":1,"Longitude":8,"Radius":1}"#, "\u{7}",
                "the id has a control character"
            ),
        ])
    func flawed(_ entry: String, _ id: String, _ reason: String) throws {
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .odata)
        let value = try JSONValue(parsing: entry)
        #expect(throws: FeatureWriter.Flaw(id: id, reason: reason)) {
            try writer.feature(of: value)
        }
    }

    @Test("Of a geometry only its type and its coordinates are kept")
    func plain() throws {
        let text = try line(
            #"{"type":"Feature","id":"1","geometry":{"crs":"EPSG:4326","type":3,"#
                + #""coordinates":[0,0],"type":"Point","coordinates":[1,2]},"#
                + #""properties":{"radius":5}}"#, FieldMap(), .features)
        #expect(text.contains(#""geometry":{"type":"Point","coordinates":[1,2]},"#))
    }

    @Test("A length under nearly its name is asked about, and is not taken")
    func nearLength() throws {
        let value = try JSONValue(
            parsing: #"{"type":"Feature","id":"1","geometry":{"type":"Point","coordinates":[1,2]},"#
                + #""properties":{"RADIUS":5}}"#)
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .features)
        #expect(throws: FeatureWriter.Flaw(id: "1", reason: "no radius: is RADIUS meant?")) {
            try writer.feature(of: value)
        }
        var map = FieldMap()
        map.origins[.radius] = .path(["RADIUS"])
        let mapped = FeatureWriter(map, idPrefix: "", shape: .features)
        #expect(try mapped.feature(of: value).id == "1")
    }

    @Test("What stands beside the properties is named, and a length among it in the refusal")
    func strays() throws {
        func entry(_ properties: String) throws -> JSONValue {
            try JSONValue(
                parsing: #"{"type":"Feature","id":"1","bbox":[1],"title":"T","radius":50,"#
                    + #""geometry":{"type":"Point","coordinates":[1,2]},"properties":{\#(properties)}}"#
            )
        }
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .features)
        let feature = try writer.feature(of: try entry(#""radius":5"#))
        #expect(feature.strays == ["bbox", "title", "radius"])
        #expect(!String(decoding: feature.line, as: UTF8.self).contains("title"))
        let reason = #"no radius: "radius" stands beside the properties, where it is not read"#
        #expect(throws: FeatureWriter.Flaw(id: "1", reason: reason)) {
            try writer.feature(of: try entry(""))
        }
    }

    @Test(
        "Properties that are no object are no properties, and not passed over",
        arguments: [#""{}""#, #"[{"radius":5}]"#, "7"])
    func odd(_ properties: String) throws {
        let area = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .features)
        func entry(_ properties: String) throws -> JSONValue {
            try JSONValue(
                parsing: #"{"type":"Feature","id":"1","geometry":\#(area),"#
                    + #""properties":\#(properties)}"#)
        }
        let flaw = FeatureWriter.Flaw(id: "1", reason: "properties that are no object")
        #expect(throws: flaw) { try writer.feature(of: try entry(properties)) }
        for nothing in ["null", "[]", "{}"] {
            #expect(try writer.feature(of: try entry(nothing)).id == "1")
        }
    }

    @Test(
        "Coordinates in anything but WGS 84 are refused by its name",
        arguments: [
            #""crs":"EPSG:27700","geometry":{"type":"Point","coordinates":[1,2]}"#,
            #""srsName":"EPSG:27700","geometry":{"type":"Point","coordinates":[1,2]}"#,
            #""geometry":{"type":"Point","coordinates":[1,2],"CRS":"EPSG:27700"}"#,
            #""geometry":{"type":"Point","coordinates":[1,2],"crs":{"type":"EPSG","properties":{"code":"EPSG:27700"}}}"#,
            #""coordRefSys":"EPSG:27700","geometry":{"type":"Point","coordinates":[1,2]}"#,
        ])
    func reference(_ members: String) throws {
        let value = try JSONValue(
            parsing: #"{"type":"Feature","id":"1",\#(members),"properties":{"radius":5}}"#)
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .features)
        let reason =
            "coordinates in EPSG:27700, which is not WGS 84: convert them, as "
            + "ogr2ogr -t_srs EPSG:4326 does"
        #expect(throws: FeatureWriter.Flaw(id: "1", reason: reason)) {
            try writer.feature(of: value)
        }
    }

    @Test(
        "A row whose id is not known has none", arguments: [#"{"ID":null}"#, #"{"ID":""}"#, "[]"])
    func nameless(_ entry: String) throws {
        let value = try JSONValue(parsing: entry)
        let writer = FeatureWriter(FieldMap(), idPrefix: "", shape: .odata)
        guard case .failure(let flaw) = writer.result(of: value) else {
            Issue.record("taken")
            return
        }
        #expect(flaw.id == nil)
    }

    @Test(
        "Well-known text becomes GeoJSON",
        arguments: [
            ("POINT(8.64 49.29)", #"{"type":"Point","coordinates":[8.64,49.29]}"#),
            ("SRID=4326;point z (1 2 3)", #"{"type":"Point","coordinates":[1,2]}"#),
            ("POINTZ(1 2 3)", #"{"type":"Point","coordinates":[1,2]}"#),
            ("geography'SRID=4326;POINT(-1e0 2)'", #"{"type":"Point","coordinates":[-1,2]}"#),
            (
                "LINESTRING (1 2, 3 4)", #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
            ),
            (
                "MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))",
                #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],"#
                    + #"[[[5,5],[6,5],[6,6],[5,5]]]]}"#
            ),
        ])
    func wellKnown(_ text: String, _ json: String) throws {
        #expect(try WellKnownText.geometry(text).text == json)
    }

    @Test(
        "What is no well-known text in WGS 84 is refused",
        arguments: [
            "", "POINT", "POINT()", "POINT(1)", "POINT(1 2", "POINT(1 2) x", "POINT EMPTY",
            "SRID=31467;POINT(1 2)", "CIRCLE(1 2)", "POINT(nan 2)", "POLYGON((1 2,3))",
            "GEOMETRYCOLLECTION(POINT(1 2))", "geography'POINT(1 2)",
        ])
    func notWellKnown(_ text: String) {
        #expect(throws: FlawedValue.self) { try WellKnownText.geometry(text) }
    }
}
