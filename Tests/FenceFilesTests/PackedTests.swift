import FenceFiles
import Foundation
import Model
import SystemTestKit
import Testing

@Suite("fence files compressed with gzip")
struct PackedTests {
    private let directory = TemporaryDirectory()

    /// The path of the text packed by gzip(1).
    private func packed(_ text: String, _ name: String) throws -> String {
        let path = directory.write(text, to: name)
        let ending = try #require(Subprocess(["gzip", "-f", path]).wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return path + ".gz"
    }

    private static let texts = [
        ("a.geojson", feature(properties: nil)), ("a.csv", "id,lat,lon\na,48.1,11.5\n"),
        ("a.gpx", "<gpx><wpt lat='48.1' lon='11.5'><name>a</name></wpt></gpx>"),
        (
            "a.kml",
            "<kml><Placemark id='a'><Point><coordinates>11.5,48.1</coordinates></Point></Placemark></kml>"
        ),
    ]

    @Test("each format is read as if it were not", arguments: texts)
    func formats(_ name: String, _ text: String) throws {
        let options = FenceFileReader.Options(radius: 50)
        let path = try packed(text, name)
        let content = FileContent(try FenceFileReader(path: path, options: options))
        #expect(content.messages.isEmpty)
        #expect(content.fences == FileContent(text, options: options).fences)
        #expect(content.fences.map(\.id) == ["a"])
    }

    @Test("lines are those of the text")
    func lines() throws {
        let path = try packed("id,lat,lon,radius\na,48,11,5\nb,99,11,5\n", "a.csv")
        let content = FileContent(try FenceFileReader(path: path))
        #expect(content.fences.map(\.id) == ["a"])
        #expect(content.problems.map(\.line) == [3])
    }

    @Test("what it unpacks to counts against the limit of the file, and names it")
    func limit() throws {
        let text = feature() + String(repeating: "\n", count: 10_000)
        let path = try packed(text, "a.geojson")
        let whole = FileContent(
            try FenceFileReader(path: path, options: .init(limit: text.utf8.count)))
        #expect(whole.messages.isEmpty && whole.fences.count == 1)
        let small = FileContent(try FenceFileReader(path: path, options: .init(limit: 5_000)))
        #expect(small.problems.last?.reason == "is larger than 5000 bytes")
        #expect(small.problems.last?.file == path)
        #expect(small.problems.last?.isFatal == true)
    }

    @Test("a bomb is refused without a limit, too")
    func bomb() throws {
        let path = try packed(String(repeating: "\n", count: 64 << 20), "a.geojson")
        let content = FileContent(try FenceFileReader(path: path))
        #expect(content.problems.last?.isFatal == true)
        let entry = "{\"type\":\"Feature\"," + String(repeating: " ", count: 64 << 20)
        let inner = FileContent(try FenceFileReader(path: try packed(entry, "b.geojson")))
        #expect(inner.problems.count == 1 && inner.problems.last?.isFatal == true)
    }

    @Test("one that ends too early is refused")
    func cut() throws {
        let path = try packed(feature() + "\n" + feature(id: "2"), "a.geojson")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let content = FileContent(FenceFileReader(Array(bytes.dropLast(9)), name: "f"))
        #expect(content.problems.last?.reason == "compressed data end too early")
        let short = FileContent(FenceFileReader(Array(bytes.prefix(2)), name: "f"))
        #expect(short.problems.last?.reason == "compressed data end too early")
    }
}
