import EngineTestKit
import FenceFiles
import Formats
import Geodesy
import Model
import Testing
import Time

@Suite("writing fence files")
struct WritingTests {
    private func written(_ fences: [Fence]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = FenceFileWriter { bytes += $0 }
        for fence in fences { try writer.append(fence) }
        try writer.finish()
        return bytes
    }

    @Test(
        "written fences are read back identically, bit for bit",
        arguments: RandomCatalogue.all, [1, 2] as [UInt64])
    func roundTrip(_ world: RandomCatalogue, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var fences = try world.fences(&random)
        for index in fences.indices {
            fences[index].dwell = TimeSpan(
                nanoseconds: Int64(random.integer(0..<1_000_000_000_000)))
            if random.chance(0.5) { fences[index].dwell = .zero }
            fences[index].description = random.chance(0.5) ? "" : "\"\\\u{1}\n ü😀"
            fences[index].notifyOnEntry = random.chance(0.5)
            fences[index].notifyOnExit = random.chance(0.5)
            fences[index].initialEnter = random.chance(0.5)
            if random.chance(0.5) {
                fences[index].metadata =
                    #"{"a":1.50,"ü":{"b":[null,"\n"]},"big":12345678901234567890}"#
            }
        }
        let content = FileContent(FenceFileReader(try written(fences), name: "f"))
        #expect(content.messages.isEmpty)
        #expect(content.fences == fences, "\(random)")
    }

    @Test(
        "a name among the metadata does not become the title",
        arguments: [#"{"name":"n"}"#, #"{"name":7}"#])
    func nameOfMetadata(_ metadata: String) throws {
        var fences = [
            try circle("a", 48, 11, radius: 50), try circle("b", 48, 11, radius: 50, title: "T"),
        ]
        for index in fences.indices { fences[index].metadata = metadata }
        #expect(FileContent(FenceFileReader(try written(fences), name: "f")).fences == fences)
    }

    @Test("real polygons are read back the same")
    func real() throws {
        let first = FileContent(try FenceFileReader(path: dataFile("us_counties_cut.geojson")))
        let again = FileContent(FenceFileReader(try written(first.fences), name: "f"))
        #expect(again.fences == first.fences)
    }

    @Test("an empty catalogue is an empty collection")
    func empty() throws {
        let bytes = try written([])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
        let content = FileContent(
            FenceFileReader(bytes, name: "f", options: .init(mayBeEmpty: true)))
        #expect(content.fences.isEmpty && content.messages.isEmpty)
    }

    @Test("one fence on a line is a Feature")
    func feature() throws {
        let fence = try circle("a", 48.1, 11.5, radius: 50, title: "T")
        #expect(
            FenceFileWriter.feature(fence)
                == #"{"type":"Feature","id":"a","geometry":{"type":"Point","#
                + #""coordinates":[11.5,48.1]},"properties":{"radius":50,"title":"T"}}"#)
    }
}
