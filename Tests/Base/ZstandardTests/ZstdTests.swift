import Files
import Foundation
import SystemTestKit
import Testing
import Zstandard

@Suite("Files packed with zstd") struct ZstdTests {
    private let directory = TemporaryDirectory()

    private func unpacked(_ path: String) throws -> [UInt8] {
        let reader = try ZstdReader(try OpenFile(regular: path))
        var all: [UInt8] = []
        while case let more = try reader.next(), !more.isEmpty { all += more }
        return all
    }

    private func packed(_ bytes: [UInt8], portion: Int) throws -> String {
        let path = directory.file("packed.zst")
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
        let writer = try ZstdWriter(file)
        for start in stride(from: 0, to: bytes.count, by: portion) {
            try writer.write(Array(bytes[start..<min(start + portion, bytes.count)]))
        }
        try writer.finish()
        return path
    }

    @Test(
        "what is packed is unpacked, also by the program",
        arguments: [0, 1, 131_071, 131_072, 1_000_000])
    func round(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        for portion in [max(1, count / 3), 65_537] {
            let path = try packed(bytes, portion: portion)
            #expect(try unpacked(path) == bytes)
            #expect(Subprocess(["zstd", "-tq", path]).wait()?.status == 0)
        }
    }

    @Test("a file that was cut short is not taken for a whole one, nor is one that was changed")
    func broken() throws {
        let text = Array((0..<4000).map { "line \($0)\n" }.joined().utf8)
        let path = try packed(text, portion: 1000)
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in stride(from: 1, to: whole.count, by: 101) {
            try whole.prefix(count).write(to: URL(filePath: path))
            #expect(throws: ZstdError.self, "\(count) bytes") { try unpacked(path) }
        }
        for place in stride(from: 0, to: whole.count, by: 97) where place != 4 {
            var bytes = whole
            bytes[place] ^= 1
            try bytes.write(to: URL(filePath: path))
            #expect(throws: ZstdError.self, "byte \(place)") { try unpacked(path) }
        }
    }

    @Test(
        "a window of more than 8 MiB is refused, and so is what unpacks to a thousand times its size"
    )
    func limits() throws {
        let path = directory.file("large")
        #expect(Subprocess(["truncate", "-s", "2G", path]).wait()?.status == 0)
        for options in [["--long=27"], ["-1", "--no-check"]] {
            #expect(Subprocess(["zstd", "-qf"] + options + [path]).wait(seconds: 60)?.status == 0)
            let reader = try ZstdReader(try OpenFile(regular: path + ".zst"))
            #expect(throws: ZstdError.self) { while !(try reader.next().isEmpty) {} }
        }
    }
}
