import FenceFiles
import SystemTestKit
import Testing

@Suite("Entries are counted before they are read") struct EntryCountTests {
    private static let count = 2_000

    private static func feature(_ number: Int, _ more: String = "") -> String {
        """
        {"type":"Feature","id":"f\(number)","geometry":{"type":"Point","coordinates":[11,48]},
        "properties":{"radius":50\(more)}}
        """
    }

    private static func features(_ more: String = "") -> String {
        (0..<count).map { feature($0, more) }.joined(separator: ",\n")
    }

    private static let rows = (0..<count).map { "f\($0),48,11,50\n" }.joined()

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        /// So many are counted.
        var counted = count
    }

    static let cases = [
        Case(testDescription: "CSV", text: "id,latitude,longitude,radius\n" + rows),
        Case(
            testDescription: "CSV with a mark, blank lines and CRLF",
            text: "\u{FEFF}id,latitude,longitude,radius\r\n\r\n"
                + rows.replacing("\n", with: "\r\n\r\n")),
        Case(
            testDescription: "CSV with rows that have nothing in them",
            text: "id;latitude;longitude;radius\n"
                + rows.replacing(",", with: ";").replacing("\n", with: "\n;;;\n \t\n")),
        Case(
            testDescription: "CSV with CR alone, below Excel's line",
            text: "sep=,\r" + "id,latitude,longitude,radius\r"
                + rows.replacing("\n", with: "\r")),
        Case(
            testDescription: "CSV with quotes, which may have lines",
            text: "id,latitude,longitude,radius,title\n"
                + (0..<count).map { "f\($0),48,11,50,\"a\nb\"\n" }.joined(), counted: 0),
        Case(
            testDescription: "a FeatureCollection",
            text: #"{"type":"FeatureCollection","features":[\#(features())]}"#),
        Case(
            testDescription: "one with other members, and texts that look like entries",
            text: #"""
                {"more":{"features":[{},{},{}]},"x":["features",{},[{}]],"name":"\"features\":[{",
                "features":[\#(features(#","title":"{\\\"}[{","o":{"features":[{},{}]}"#))],"more":[{},{}]}
                """#),
        Case(
            testDescription: "a Feature on each line",
            text: (0..<count).map { feature($0).replacing("\n", with: "") + "\n" }.joined()),
        Case(
            testDescription: "a sequence of RFC 8142",
            text: (0..<count).map { "\u{1E}" + feature($0).replacing("\n", with: "") + "\n" }
                .joined()),
        Case(
            testDescription: "GPX, which is read at once",
            text: #"<gpx xmlns="http://www.topografix.com/GPX/1/1">"#
                + (0..<count).map { "<wpt lat=\"48\" lon=\"11\"><name>f\($0)</name></wpt>" }
                .joined()
                + "</gpx>", counted: 0),
    ]

    @Test("as many as the reader finds, and never more", arguments: cases)
    func counted(_ file: Case) throws {
        let directory = TemporaryDirectory()
        let path = directory.write(file.text, to: "fences")
        func hasMore(than limit: Int) throws -> Bool {
            let reader = try FenceFileReader(path: path, options: .init(radius: 50))
            // In portions.
            while true {
                if let known = reader.hasMore(than: limit, until: { true }) { return known }
            }
        }
        let reader = try FenceFileReader(path: path, options: .init(radius: 50))
        let known = reader.hasMore(than: Self.count - 1, until: { false })
        #expect(known == (file.counted == Self.count))
        #expect(reader.bytesRead == 0)
        // It is read from its beginning all the same.
        var found = 0
        while try reader.next() != nil { found += 1 }
        #expect(found == Self.count)
        #expect(try hasMore(than: Self.count - 1) == (file.counted == Self.count))
        #expect(try hasMore(than: 10) == (file.counted > 10))
        #expect(try !hasMore(than: Self.count))
    }
}
