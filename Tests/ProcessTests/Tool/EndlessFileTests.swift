import SystemTestKit
import Testing

/// Files of a hundred megabytes with one thing in them that does not end: refused by a tool that may
/// take 48 MB of memory for its data, as the daemon, which reads them the same way, may take 64.
@Suite("a fence file in which something does not end")
struct EndlessFileTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var beginning: String
        /// Written again and again.
        var again: String
        var end = ""
    }

    private static let feature = #"{"type":"Feature","id":1,"#

    static let cases = [
        Case(
            testDescription: "members of the properties",
            beginning: feature + #""properties":{"radius":50"#,
            again: #","key":"a value of some length""#,
            end: #"},"geometry":{"type":"Point","coordinates":[1,2]}}"#),
        Case(
            testDescription: "one property",
            beginning: feature + #""properties":{"list":[0"#, again: ",12345678"),
        Case(
            testDescription: "one string", beginning: feature + #""properties":{"title":""#,
            again: "abcdefgh"),
        Case(
            testDescription: "one key", beginning: feature + #""properties":{""#, again: "abcdefgh"),
        Case(testDescription: "the id", beginning: #"{"type":"Feature","id":["#, again: "[],"),
        Case(
            testDescription: "members of the Feature", beginning: #"{"type":"Feature""#,
            again: #","x":{"y":[1,2,3]}"#),
        Case(
            testDescription: "positions",
            beginning: feature + #""geometry":{"type":"Polygon","coordinates":[[[1,2]"#,
            again: ",[1.25,2.5]"),
        Case(
            testDescription: "rings",
            beginning: feature + #""geometry":{"type":"Polygon","coordinates":[[[1,2]]"#,
            again: ",[[1.25,2.5]]"),
        Case(
            testDescription: "empty arrays",
            beginning: feature + #""geometry":{"type":"Polygon","coordinates":[[]"#, again: ",[]"),
        Case(
            testDescription: "one position",
            beginning: feature + #""geometry":{"type":"Point","coordinates":[1,2"#, again: ",3.5"),
        Case(
            testDescription: "members of the collection",
            beginning: #"{"type":"FeatureCollection""#, again: #","x":[1,2,3,4]"#),
        Case(
            testDescription: "blanks",
            beginning: #"{"type":"FeatureCollection","features":["#, again: "        "),
        Case(
            testDescription: "a row", beginning: "id,latitude,longitude,radius\n\"",
            again: "abcdefgh"),
        Case(
            testDescription: "fields", beginning: "id,latitude,longitude,radius\n1", again: ",1,2,3"
        ),
        Case(
            testDescription: "columns", beginning: "id,latitude,longitude,radius", again: ",a,b,c"),
        Case(
            testDescription: "text", beginning: #"<gpx><wpt lat="1" lon="2"><name>"#,
            again: "abcdefgh"),
        Case(
            testDescription: "elements", beginning: #"<gpx><wpt lat="1" lon="2">"#,
            again: "<a1>x</a1><b2/>"),
        Case(
            testDescription: "attributes", beginning: "<gpx><wpt ", again: #"a="1" "#),
        Case(testDescription: "a comment", beginning: "<gpx><!-- ", again: "abcdefgh"),
        Case(testDescription: "depth", beginning: "<gpx>", again: "<a>"),
        Case(testDescription: "nesting", beginning: feature + #""properties":"#, again: #"{"a":"#),
    ]

    @Test("is refused with its line, and its size costs no memory", arguments: cases)
    func refused(_ wanted: Case) throws {
        let run = Subprocess([
            "sh", "-c",
            """
            { printf %s "$1"; yes "$2" | tr -d '\\n' | head -c "$5"; printf %s "$3"; } |
                (ulimit -d "$4"; exec "$0" check -)
            """, builtProgram("geofencectl"), wanted.beginning, wanted.again, wanted.end,
            // kB, and bytes. The sanitizer needs more memory for itself, and ten times as long.
            isMemorySanitized ? "unlimited" : "49152",
            isMemorySanitized ? "4000000" : "100000000",
        ])
        let ending = try #require(run.wait(seconds: 120))
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.contains("error: standard input:"), "\(ending)")
        #expect(ending.output.utf8.count < 1_000)
    }
}
