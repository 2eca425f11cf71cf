import Bytes
import Foundation
import Storage
import Testing

@Suite("what outlives a kill")
struct CheckpointFileTests {
    private let scratch: Scratch
    private var path: String { scratch.file("memory") }

    init() throws { scratch = try Scratch() }

    @Test("the next process finds the last checkpoint and the additions since, in this order")
    func found() throws {
        let file = try CheckpointFile(path: path)
        #expect(file.pieces == nil)
        #expect(file.write([1, 2, 3]))
        #expect(file.add([4]))
        #expect(file.add([]))
        #expect(file.add([5, 6, 7, 8, 9, 10, 11, 12, 13]))
        let expected: [[UInt8]] = [[1, 2, 3], [4], [], [5, 6, 7, 8, 9, 10, 11, 12, 13]]
        #expect(file.pieces == expected)
        #expect(try CheckpointFile(path: path).pieces == expected)
    }

    @Test("additions to an earlier checkpoint are not taken for additions to this one")
    func stale() throws {
        let file = try CheckpointFile(path: path)
        for round in UInt8(0)..<8 {
            // Always the same length: the additions of two rounds ago are where the next would be.
            #expect(file.write([round, 0, 0]))
            #expect(file.pieces == [[round, 0, 0]])
            let count = Int(8 - round)
            for index in 0..<count { #expect(file.add([round, UInt8(index)])) }
            #expect(try CheckpointFile(path: path).read()?.additions.count == count)
        }
    }

    @Test("nothing is added to another process's checkpoint, nor beyond the limits")
    func refused() throws {
        #expect(try CheckpointFile(path: path).write([1]))
        let file = try CheckpointFile(path: path)
        #expect(!file.add([2]))
        #expect(file.write([3]))
        for index in 0..<CheckpointFile.additionLimit { #expect(file.add([UInt8(index)])) }
        #expect(!file.add([0]))
        #expect(file.read()?.additions.count == CheckpointFile.additionLimit)
        #expect(file.write([UInt8](repeating: 7, count: CheckpointFile.capacity - 32)))
        #expect(file.add([8]))
        #expect(!file.add([9]))
        #expect(file.read()?.additions == [[8]])
        #expect(!file.write([UInt8](repeating: 7, count: CheckpointFile.capacity + 1)))
        #expect(file.read()?.additions == [[8]])
        file.clear()
        #expect(!file.add([10]))
        #expect(file.pieces == nil)
    }

    @Test(
        "versions from 3 on are read, and so are later ones, which append",
        arguments: [2, 3, 4, 6, 200] as [UInt8])
    func versions(_ version: UInt8) throws {
        let file = try CheckpointFile(path: path)
        #expect(file.write([1]))
        #expect(file.read()?.version == CheckpointFile.version)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // Counter 1: the second half, whose first byte is the version.
        try handle.seek(toOffset: UInt64(CheckpointFile.capacity + 24))
        handle.write(Data([version]))
        let read = try CheckpointFile(path: path).read()
        #expect(read?.version == (version > 2 ? version : nil))
        #expect(read?.bytes == (version > 2 ? [1] : nil))
    }

    @Test("a checkpoint that was being written at the kill is not found")
    func torn() throws {
        let file = try CheckpointFile(path: path)
        #expect(file.write([1]))
        #expect(file.write([2]))
        #expect(file.add([3, 3, 3]))
        #expect(file.add([4, 4, 4]))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var found: Set<[[UInt8]]?> = []
        // The second writing is in the first half, 24 bytes behind its beginning.
        for place in 0..<96 {
            var torn = whole
            torn[place] ^= 0x55
            try torn.write(to: URL(fileURLWithPath: path))
            found.insert(try CheckpointFile(path: path).pieces)
        }
        #expect(found == [[[1]], [[2]], [[2], [3, 3, 3]], [[2], [3, 3, 3], [4, 4, 4]]])
    }
}

extension CheckpointFile {
    fileprivate var pieces: [[UInt8]]? { read().map { [$0.bytes] + $0.additions } }

    fileprivate func write(_ bytes: [UInt8]) -> Bool {
        write { writer in bytes.withUnsafeBytes { writer.write(raw: $0) } }
    }

    fileprivate func add(_ bytes: [UInt8]) -> Bool {
        add { writer in bytes.withUnsafeBytes { writer.write(raw: $0) } }
    }
}
