import Bytes
import Testing

@Suite("Lent bytes")
struct ByteViewTests {
    private static let bytes: [UInt8] = Array(0..<16)

    @Test("are those of the array, in its order")
    func elements() {
        #expect(Self.bytes.withByteView { Array($0) } == Self.bytes)
        #expect([UInt8]().withByteView { $0.count } == 0)
        #expect("füße".withByteView { $0.text } == "füße")
    }

    @Test("have parts that count from 0", arguments: [0..<0, 0..<16, 3..<7, 16..<16])
    func parts(_ range: Range<Int>) {
        #expect(Self.bytes.withByteView { Array($0.part(range)) } == Array(Self.bytes[range]))
    }

    @Test("numbers are read little-endian, from any offset", arguments: 0...8)
    func integers(_ offset: Int) {
        let expected = (0..<8).reduce(UInt64(0)) {
            $0 | UInt64(Self.bytes[offset + $1]) << (8 * $1)
        }
        #expect(Self.bytes.withByteView { $0.integer(at: offset) } == expected)
    }

    @Test("are searched from an offset")
    func search() {
        #expect(Self.bytes.withByteView { $0.firstIndex(of: 5, from: 0) } == 5)
        #expect(Self.bytes.withByteView { $0.firstIndex(of: 5, from: 5) } == 5)
        #expect(Self.bytes.withByteView { $0.firstIndex(of: 5, from: 6) } == nil)
        #expect(Self.bytes.withByteView { $0.firstIndex(of: 0, from: 16) } == nil)
    }

    @Test("are equal when count and bytes are")
    func equality() {
        let same = Self.bytes
        #expect(Self.bytes.withByteView { a in same.withByteView { a == $0 } })
        #expect(Self.bytes.withByteView { a in !same.dropLast().withByteView { a == $0 } })
        #expect("null".withByteView { $0 == StaticString("null").byteView })
    }

    // Each of them would read memory outside the view.

    @Test("trap beyond their end")
    func traps() async {
        await #expect(processExitsWith: .failure) { [UInt8](0..<4).withByteView { _ = $0[4] } }
        await #expect(processExitsWith: .failure) { [UInt8](0..<4).withByteView { _ = $0[-1] } }
        await #expect(processExitsWith: .failure) {
            [UInt8](0..<4).withByteView { _ = $0.part(2..<5) }
        }
        await #expect(processExitsWith: .failure) {
            [UInt8](0..<4).withByteView { _ = $0.integer(at: 1, as: UInt32.self) }
        }
        await #expect(processExitsWith: .failure) {
            [UInt8](0..<4).withByteView { _ = $0.firstIndex(of: 1, from: 5) }
        }
    }

}
