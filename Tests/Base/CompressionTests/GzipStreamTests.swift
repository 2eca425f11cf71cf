import Compression
import Foundation
import SystemTestKit
import Testing

/// Streams are made by gzip(1).
@Suite("streams compressed with gzip")
struct GzipStreamTests {
    private let directory = TemporaryDirectory()

    private func packed(_ text: String) throws -> [UInt8] {
        let path = directory.write(text, to: "text")
        let ending = try #require(Subprocess(["gzip", "-fk", path]).wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return [UInt8](try Data(contentsOf: URL(filePath: path + ".gz")))
    }

    /// What is unpacked, and what ended it; the source gives and the reader takes so many bytes at a time.
    private func all(
        _ bytes: [UInt8], given: Int = 1 << 16, taken: Int = 1 << 16
    ) throws -> (count: Int, text: String, error: CompressionError?) {
        var rest = bytes[...]
        let stream = try unsafe GzipStream { room in
            let part = rest.prefix(min(given, room.count))
            unsafe room.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var (count, all): (Int, [UInt8]) = (0, [])
        var room = [UInt8](repeating: 0, count: taken)
        do {
            while true {
                let got = try unsafe room.withUnsafeMutableBytes {
                    try unsafe stream.read(into: $0)
                }
                guard got > 0 else { return (count, String(decoding: all, as: UTF8.self), nil) }
                count += got
                if count <= 1 << 20 { all += room[..<got] }
            }
        } catch let error as CompressionError {
            return (count, String(decoding: all, as: UTF8.self), error)
        }
    }

    private let text = (0..<200).map { "line \($0) \($0 &* 2_654_435_761)\n" }.joined()

    @Test(
        "one member or several, in portions of any size",
        arguments: [(1, 1), (1, 1 << 16), (7, 3), (1 << 16, 1), (1 << 16, 1 << 16)])
    func whole(given: Int, taken: Int) throws {
        let bytes = try packed(text)
        let one = try all(bytes, given: given, taken: taken)
        #expect(one.text == text && one.error == nil)
        let two = try all(bytes + bytes, given: given, taken: taken)
        #expect(two.text == text + text && two.error == nil)
    }

    @Test("one that is cut short anywhere, or damaged, is refused")
    func broken() throws {
        let bytes = try packed(text)
        for length in 0..<bytes.count {
            let cut = try all(Array(bytes[..<length]))
            #expect(cut.error?.description == "compressed data end too early", "\(length)")
            #expect(text.hasPrefix(cut.text))
        }
        var damaged = bytes
        damaged[bytes.count - 6] ^= 1
        #expect(try all(damaged).error?.description == "compressed data are broken")
        #expect(try all(bytes + [1, 2, 3]).error?.description == "compressed data are broken")
    }

    @Test("one that unpacks to far more than it is, is refused")
    func bomb() throws {
        let small = try all(packed(String(repeating: " ", count: 16 << 20)))
        #expect(small.count == 16 << 20 && small.error == nil)
        let bomb = try all(packed(String(repeating: " ", count: 64 << 20)))
        #expect(bomb.count < 32 << 20)
        #expect(
            bomb.error?.description == "a file that unpacks to more than 100 times its size")
    }
}
