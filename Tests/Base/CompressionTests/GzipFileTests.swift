import Compression
import Foundation
import SystemTestKit
import Testing

/// Files are made by gzip(1), which every Debian has.
@Suite("files compressed with gzip")
struct GzipFileTests {
    private let directory = TemporaryDirectory()
    /// 200 lines that do not compress to nothing.
    private let text = (0..<200).map { "line \($0) \($0 &* 2_654_435_761)\n" }.joined()

    private func packed() throws -> Data {
        let path = directory.write(text, to: "text")
        let ending = try #require(Subprocess(["gzip", "-fk", path]).wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return try Data(contentsOf: URL(filePath: path + ".gz"))
    }

    private func file(_ bytes: Data) throws -> GzipFile {
        let path = directory.file("file.gz")
        try bytes.write(to: URL(filePath: path))
        return try GzipFile(path: path)
    }

    /// What a reader is given, `portion` bytes at a time, and what ended it.
    private func all(_ file: GzipFile, portion: Int) -> (text: String, error: CompressionError?) {
        var all: [UInt8] = []
        var room = [UInt8](repeating: 0, count: portion)
        do throws(CompressionError) {
            while true {
                let count = try file.read(into: &room)
                guard count > 0 else { return (String(decoding: all, as: UTF8.self), nil) }
                all += room[..<count]
            }
        } catch { return (String(decoding: all, as: UTF8.self), error) }
    }

    @Test("a whole file is read in portions of any size", arguments: [1, 100, 1 << 16])
    func whole(portion: Int) throws {
        let (read, error) = all(try file(packed()), portion: portion)
        #expect(read == text)
        #expect(error == nil)
    }

    @Test("what is written is read again, by gzip(1), too", arguments: [1, 1000, 1 << 20])
    func written(portion: Int) throws {
        let path = directory.file("own.gz")
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        let writer = try GzipWriter(descriptor: descriptor)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: portion) {
            try writer.write(Array(bytes[start..<min(bytes.count, start + portion)]))
        }
        try writer.finish()
        #expect(all(try GzipFile(path: path), portion: 100).text == text)
        #expect(try #require(Subprocess(["zcat", path]).wait()).output == text)
        #expect(throws: CompressionError.self) { try writer.write([1]) }
    }

    @Test("a disk that takes no more is a fault, at the latest at the end")
    func full() throws {
        let descriptor = open("/dev/full", O_RDWR)
        defer { close(descriptor) }
        let writer = try GzipWriter(descriptor: descriptor)
        #expect(throws: CompressionError("No space left on device")) {
            for _ in 0..<100 { try writer.write(Array(text.utf8)) }
            try writer.finish()
        }
    }

    /// zlib 1.2.13 keeps this fault for further reads, zlib 1.3.2 says it once, with the last bytes.
    @Test(
        "of a file that was cut short its part is read, and then always the fault",
        arguments: [1, 100, 1 << 16])
    func short(portion: Int) throws {
        let short = try file(packed().dropLast(300))
        let (read, error) = all(short, portion: portion)
        #expect(!read.isEmpty && text.hasPrefix(read) && read != text)
        #expect(error?.description == "compressed data end too early")
        #expect(all(short, portion: portion).error == error)
        #expect(all(short, portion: portion).text.isEmpty)
    }

    @Test("a file that was cut short can be read once more, and is as short as before")
    func shortAgain() throws {
        let short = try file(packed().dropLast(300))
        let first = all(short, portion: 1 << 16)
        try short.rewind()
        let second = all(short, portion: 1 << 16)
        #expect(second.text == first.text)
        #expect(second.error == first.error)
        #expect(first.error != nil)
    }

    @Test("a damaged file is refused by the read that meets the damage, whatever came before it")
    func damaged() throws {
        var bytes = try packed()
        // Of the sum over the content, which is four bytes before the size at the end.
        bytes[bytes.count - 6] ^= 0xFF
        let (read, error) = all(try file(bytes), portion: 1 << 16)
        #expect(error?.description == "compressed data are broken: incorrect data check")
        #expect(read.isEmpty)
    }
}
