import Compression
import Foundation
import SystemTestKit
import Testing

/// Archives are created by Python's zipfile, which every Debian with Python has.
@Suite("files of a zip archive")
struct ZipMemberTests {
    private let directory = TemporaryDirectory()

    /// Runs Python with `archive` as the path of the archive to write.
    private func archive(_ script: String) throws -> [UInt8] {
        let path = directory.file("archive.zip")
        let run = Subprocess([
            "python3", "-c", "import zipfile, sys\narchive = sys.argv[1]\n" + script, path,
        ])
        let ending = try #require(run.wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    private func member(
        _ bytes: [UInt8], portion: Int = 1 << 16, where isWanted: @escaping (String) -> Bool
    ) throws -> [UInt8] {
        var rest = bytes[...]
        let member = try ZipMember(
            { room in
                let count = min(room.count, rest.count, portion)
                room.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }, where: isWanted)
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = try room.withUnsafeMutableBytes { try member.read(into: $0) }
            if count == 0 { return result }
            result += room[..<count]
        }
    }

    private let three = """
        with zipfile.ZipFile(archive, "w", METHOD) as z:
            z.writestr("a/", ""); z.writestr("a/first.txt", "1" * 5000)
            z.writestr("a/wanted.kml", "0123456789" * 20000); z.writestr("b.kml", "no")
        """

    @Test(
        "the first matching file is read, stored or deflated, in chunks of any size",
        arguments: ["zipfile.ZIP_STORED", "zipfile.ZIP_DEFLATED"], [1, 7, 65_536])
    func first(_ method: String, _ portion: Int) throws {
        let bytes = try archive(three.replacingOccurrences(of: "METHOD", with: method))
        let read = try member(bytes, portion: portion) { $0.hasSuffix(".kml") }
        #expect(read == Array(String(repeating: "0123456789", count: 20_000).utf8))
    }

    @Test("sizes may follow the data, as in an archive that was written to a pipe")
    func descriptors() throws {
        let bytes = try archive(
            """
            class Pipe:
                def __init__(self): self.file = open(archive, "wb")
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("x.txt", "x" * 3000); z.writestr("y.kml", "y" * 70000)
            """)
        #expect(try member(bytes) { $0 == "y.kml" }.count == 70_000)
    }

    @Test("a file that unpacks to a thousand times its size is refused before unpacking")
    func bomb() throws {
        let bytes = try archive(
            """
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
                z.writestr("y.kml", bytes(64 << 20))
            """)
        #expect(bytes.count < 100_000)
        #expect(
            throws: CompressionError("a file that unpacks to more than 100 times its size")
        ) { try member(bytes) { _ in true } }
        // Also in front of the matching file.
        #expect(throws: CompressionError.self) { try member(bytes) { _ in false } }
    }

    @Test("an archive without the file, with one that is damaged, or cut off anywhere")
    func broken() throws {
        let bytes = try archive(
            three.replacingOccurrences(of: "METHOD", with: "zipfile.ZIP_DEFLATED")
                .replacingOccurrences(of: "20000", with: "20"))
        #expect(throws: CompressionError("no such file in the zip archive")) {
            try member(bytes) { _ in false }
        }
        for length in 0..<bytes.count / 3 {
            let part = Array(bytes[..<length])
            #expect(throws: CompressionError.self, "at \(length)") {
                try member(part) { $0 == "b.kml" }
            }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            // The result is the written data, or an error.
            if let read = try? member(changed, where: { $0.hasSuffix("wanted.kml") }) {
                #expect(read == Array(String(repeating: "0123456789", count: 20).utf8), "\(index)")
            }
        }
    }
}
