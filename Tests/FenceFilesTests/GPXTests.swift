import FenceFiles
import Formats
import Geodesy
import Model
import Testing

@Suite("fence files in GPX")
struct GPXTests {
    private let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE gpx>
        <gpx version="1.1" creator="a &amp; b" xmlns:x="urn:x">
          <!-- <wpt lat="0" lon="0"/> -->
          <metadata><name>not this</name></metadata>
          <wpt lat="48.1" lon='11.5'><ele>520</ele><name>Bridge &lt;7&gt; &#xFC;</name>
            <desc><![CDATA[3.9 m & less]]></desc></wpt>
          <wpt lat="-33.5" lon="151.25"><name>own</name>
            <extensions><x:radius> 25.5 </x:radius></extensions></wpt>
          <wpt lat="1" lon="2"/>
          <wpt lat="one" lon="2"><name>n</name></wpt>
          <trk><name>not this</name><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>
        </gpx>
        """

    @Test("waypoints are circles, with their own radius or that of the file")
    func waypoints() {
        let content = FileContent(file, options: .init(radius: 100))
        #expect(content.fences.map(\.id) == ["Bridge <7> ü", "own"])
        #expect(content.fences.map(\.title) == ["Bridge <7> ü", "own"])
        #expect(content.fences.map(\.description) == ["3.9 m & less", ""])
        #expect(
            content.fences.map(\.area?.geometry) == [
                .circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: 100),
                .circle(center: Coordinate(latitude: -33.5, longitude: 151.25), radius: 25.5),
            ])
        #expect(
            content.messages == [
                "f:10: fence 3: no name", "f:11: fence 4 (\"n\"): lat \"one\" is no number",
            ])
    }

    @Test("without any radius a waypoint is refused")
    func noRadius() {
        let content = FileContent(file)
        #expect(content.fences.map(\.id) == ["own"])
        #expect(
            content.messages.first == "f:6: fence 1 (\"Bridge <7> ü\"): "
                + "no radius, and none given for the whole file")
    }

    @Test(
        "a file that is not GPX, or ends too early, is reported",
        arguments: [
            "<gpx><wpt lat='1' lon='1'><name>a</name>", "<gpx></wpt></gpx>", "<", "<!-- ", "<gpx",
            "<gpx><wpt lat=1></wpt></gpx>", "<gpx>&bomb;</gpx>", "<?xml version='1.0'?>",
            "<gpx><wpt lat></wpt></gpx>", "<gpx><![CDATA[", "< >", "</gpx>", "<gpx/",
            "<gpx a='",
        ])
    func broken(_ text: String) {
        let content = FileContent(text, options: .init(radius: 1))
        #expect(content.problems.last?.isFatal == true)
    }
}
