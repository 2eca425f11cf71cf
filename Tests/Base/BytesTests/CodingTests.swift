import Bytes
import Testing

@Suite("stored bytes")
struct CodingTests {
    @Test("written values are read back, and nothing else is")
    func roundTrip() throws {
        let bytes = ByteWriter.bytes { writer in
            writer.write(UInt16(0x0102))
            writer.write(-2.5)
            writer.write(true)
            writer.write("é€")
            writer.write(nil as Int64?) { $0.write($1) }
            writer.write([7, 8, 9] as [UInt32]) { $0.write($1) }
        }
        #expect(bytes.prefix(2) == [2, 1], "little-endian")
        func read(_ bytes: [UInt8]) -> Bool {
            bytes.withByteView { view in
                var reader = ByteReader(view)
                do {
                    return try reader.read(UInt16.self) == 0x0102 && reader.readDouble() == -2.5
                        && reader.readBool() && reader.readString() == "é€"
                        && reader.readOptional { try $0.read(Int64.self) } == nil
                        && reader.readList(ofAtLeast: 4) { try $0.read(UInt32.self) } == [7, 8, 9]
                        && reader.isAtEnd
                } catch { return false }
            }
        }
        #expect(read(bytes))
        for count in bytes.indices { #expect(!read(Array(bytes.prefix(count)))) }
    }

    @Test("a length beyond the available bytes allocates no memory")
    func lengths() {
        let bytes = [UInt8](repeating: 0xFF, count: 12)
        bytes.withByteView { view in
            var reader = ByteReader(view)
            #expect(throws: DamagedRecord.self) { try reader.readList { try $0.byte() } }
            reader = ByteReader(view)
            #expect(throws: DamagedRecord.self) { try reader.readString() }
            reader = ByteReader(view)
            #expect(throws: DamagedRecord.self) { try reader.text() }
            reader = ByteReader(view)
            #expect(throws: DamagedRecord.self) { try reader.readBool() }
        }
    }

    @Test("overflow is reported, and nothing is written beyond the buffer")
    func room() {
        var room = [UInt8](repeating: 0xAA, count: 16)
        room.withUnsafeMutableBytes { bytes in
            var writer = ByteWriter(UnsafeMutableRawBufferPointer(rebasing: bytes[..<12]))
            writer.write(UInt64(1))
            #expect(writer.count == 8)
            writer.write(UInt64(2))
            writer.write(UInt8(3))
            #expect(writer.count == nil)
        }
        #expect(room[8...] == [UInt8](repeating: 0xAA, count: 8)[...])
    }

    @Test(
        "FNV-1a gives what its authors' test vectors say",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325, 0x811c_9dc5), ("a", 0xaf63_dc4c_8601_ec8c, 0xe40c_292c),
            ("foobar", 0x8594_4171_f739_67e8, 0xbf9c_f968),
        ] as [(String, UInt64, UInt32)])
    func hashes(text: String, hash64: UInt64, hash32: UInt32) {
        #expect(FNV1a.hash64(text) == hash64)
        #expect(text.withByteView(FNV1a.hash32) == hash32)
    }

    @Test("over words, every byte and the seed count")
    func words() {
        let bytes = (0..<21).map { UInt8($0) }
        var hashes: Set<UInt64> = []
        for seed in [0, 2] as [UInt64] {
            hashes.insert(bytes.withByteView { FNV1a.hash64(wordsOf: $0, seed: seed) })
        }
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            hashes.insert(other.withByteView { FNV1a.hash64(wordsOf: $0, seed: 0) })
        }
        #expect(hashes.count == 23)
    }
}
