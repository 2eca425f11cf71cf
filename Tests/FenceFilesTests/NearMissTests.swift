import FenceFiles
import Law
import Model
import Testing

@Suite("metadata that was meant as a property")
struct NearMissTests {
    private func warnings(
        _ text: String, _ options: FenceFileReader.Options = .init(radius: 50)
    ) -> [String] {
        var options = options
        options.notesNearMisses = true
        let reader = FenceFileReader(Array(text.utf8), name: "f", options: options)
        #expect(FileContent(reader).messages.isEmpty)
        return reader.nearMissWarnings
    }

    @Test(
        "a key that is nearly a property is asked about",
        arguments: [
            ("dwel", "dwell"), ("Dwell", "dwell"), ("dwell_sec", "dwell"), ("NAME", "title"),
            ("Title", "title"), ("tilte", "title"), ("speed_limit", "speed_limit_kmh"),
            ("maxspeed", "speed_limit_kmh"), ("speedLimitKmh", "speed_limit_kmh"),
            ("speed-limit-kph", "speed_limit_kmh"), ("notifyOnEntry", "notify_on_entry"),
            ("opening_hours", "active"), ("ACTIVE", "active"), ("expire", "expires"),
            ("descripton", "description"), ("Radius", "radius"), ("Approach", "approach"),
            ("radius_m", "radius"), ("RADIUS", "radius"), ("max_speed_kmh", "speed_limit_kmh"),
            ("MaxSpeed", "speed_limit_kmh"), ("loitering_delay", "dwell"),
            ("loiteringDelay", "dwell"), ("dwell_time", "dwell"),
            ("loitering", "dwell"), ("radius [m]", "radius"),
            ("Speed limit (km/h)", "speed_limit_kmh"),
            ("radiusInMeters", "radius"), ("enabled", "active"),
            ("maxheight", "limits, of an approach,"), ("height", "limits, of an approach,"),
        ])
    func near(_ key: String, _ property: String) {
        let text = feature(properties: "{\"\(key)\":1}")
        #expect(
            warnings(text) == [
                "\"\(key)\" is kept as metadata, in 1 of 1 entry, first in line 1: is \(property) meant?"
            ])
    }

    @Test(
        "others are not",
        arguments: [
            "name", "width", "limits", "group", "id", "ID", "nam", "game", "on", "wight",
            "status", "companions", "", "fill-opacity", "stroke-width", "marker-color", "lat",
            "Latitude", "x", "altitude",
        ])
    func far(_ key: String) {
        #expect(warnings(feature(properties: "{\"\(key)\":1}")).isEmpty)
    }

    @Test("nor are those of fences that have the property, or could not have it")
    func given() {
        #expect(warnings(feature(properties: #"{"Title":"a","title":"b"}"#)).isEmpty)
        #expect(warnings(feature(properties: #"{"NAME":"a","name":"b"}"#)).isEmpty)
        #expect(warnings(feature(properties: #"{"Radius":9,"radius":50}"#), .init()).isEmpty)
        #expect(warnings(feature(properties: #"{"Width":9}"#)).isEmpty)
        let file = FenceFileReader(
            Array(feature(properties: #"{"dwel":1,"radius":5}"#).utf8), name: "f")
        #expect(FileContent(file).fences.count == 1 && file.nearMissWarnings.isEmpty)
    }

    @Test("entries are counted, and of many keys ten are named")
    func many() {
        let first = feature(id: "1", properties: #"{"radius":1,"dwel":1}"#)
        let second = feature(id: "2", properties: #"{"radius":1,"Dwell":1,"expire":1}"#)
        let others = (1...9).map { #","act\#($0)ve":1"# }.joined()
        let third = feature(id: "3", properties: #"{"dwel":1\#(others)}"#)
        #expect(
            warnings([first, second, third].joined(separator: "\n")) == [
                #""dwel" is kept as metadata, in 2 of 3 entries, first in line 1: is dwell meant?"#,
                #""Dwell" is kept as metadata, in 1 of 3 entries, first in line 2: is dwell meant?"#,
                #""expire" is kept as metadata, in 1 of 3 entries, first in line 2: is expires meant?"#,
            ]
                + (1...7).map {
                    #""act\#($0)ve" is kept as metadata, in 1 of 3 entries, first in line 3: is active meant?"#
                } + ["2 more keys are nearly that of a property, and kept as metadata"])
    }

    @Test(
        "names of properties where nothing is read are asked about, too",
        arguments: [
            #"{"type":"Feature","id":"a","dwell":60,"title":"T","bbox":[1],"Active":"x","geometry":"#
                + #"{"type":"Point","coordinates":[1,2]},"properties":{"radius":50,"title":"U"}}"#,
            "<kml><Placemark id='a'><name>T</name><dwell>60</dwell><Active/><visibility>1</visibility>"
                + "<Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
            "<gpx><wpt lat='1' lon='2'><name>T</name><sym>s</sym><extensions><dwell>60</dwell>"
                + "<x:Active/></extensions></wpt></gpx>",
        ])
    func strays(_ text: String) {
        #expect(
            warnings(text) == [
                #""dwell" is not read where it stands, in 1 of 1 entry, first in line 1: is dwell meant?"#,
                #""Active" is not read where it stands, in 1 of 1 entry, first in line 1: is active meant?"#,
            ])
    }

    @Test("a length beside the properties is not taken, and the refusal says where it stands")
    func strayLength() {
        for key in ["radius", "Radius", "radius_m"] {
            let content = FileContent(
                #"{"type":"Feature","id":"a","\#(key)":50,"geometry":{"type":"Point","#
                    + #""coordinates":[1,2]},"properties":{}}"#)
            #expect(
                content.problems.map(\.reason) == [
                    #"no radius: "\#(key)" stands beside the properties, where it is not read"#
                ])
        }
    }

    @Test("columns of CSV and data of KML, too")
    func otherFormats() {
        #expect(
            warnings("id,lat,lon,dwel,Max-Stay\na,48,11,1,\nb,48,11,1,2\n") == [
                #""dwel" is kept as metadata, in 2 of 2 entries, first in line 2: is dwell meant?"#,
                #""Max-Stay" is kept as metadata, in 2 of 2 entries, first in line 2: is max_stay_sec meant?"#,
            ])
        let kml = """
            <kml><Placemark id="a"><ExtendedData><Data name="dwel"><value>1</value></Data>
            </ExtendedData><Point><coordinates>11,48</coordinates></Point></Placemark></kml>
            """
        #expect(
            warnings(kml) == [
                #""dwel" is kept as metadata, in 1 of 1 entry, first in line 1: is dwell meant?"#
            ])
    }
}
