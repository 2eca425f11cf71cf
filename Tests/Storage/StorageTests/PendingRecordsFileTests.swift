import Foundation
import Storage
import Testing

@Suite("what waits for the disk")
struct PendingRecordsFileTests {
    private let scratch: Scratch
    private var path: String { scratch.file("waiting") }

    init() throws { scratch = try Scratch() }

    @Test("the next process finds the records up to the mark, and nothing after it")
    func recovered() {
        let file = PendingRecordsFile(path: path)
        #expect(file.append([1, 2, 3]))
        #expect(file.append([]))
        let mark = file.mark
        #expect(file.append([4]))
        let next = PendingRecordsFile(path: path)
        #expect(next.recover(mark) == [[1, 2, 3], []])
        #expect(next.append([5, 6]))
        #expect(PendingRecordsFile(path: path).recover(next.mark) == [[1, 2, 3], [], [5, 6]])
    }

    @Test("until the mark names the new file the old one counts")
    func rewritten() {
        let file = PendingRecordsFile(path: path)
        #expect(file.append([1]))
        let old = file.mark
        #expect(file.rewrite([7, 8]))
        #expect(PendingRecordsFile(path: path).recover(old) == [[1]])
        #expect(PendingRecordsFile(path: path).recover(file.mark) == [[7, 8]])
        file.clear()
        #expect(file.mark == .empty)
        #expect(scratch.names.isEmpty)
    }

    @Test("a piece that is too long, damaged, truncated or missing is ignored")
    func damaged() throws {
        let file = PendingRecordsFile(path: path)
        #expect(!file.append([UInt8](repeating: 0, count: PendingRecordsFile.capacity)))
        #expect(scratch.names.isEmpty)
        #expect(file.append([1, 2, 3]))
        let bytes = try #require(FileManager.default.contents(atPath: path + "-0"))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x10
            try other.write(to: URL(fileURLWithPath: path + "-0"))
            #expect(PendingRecordsFile(path: path).recover(file.mark).isEmpty)
        }
        try bytes.prefix(5).write(to: URL(fileURLWithPath: path + "-0"))
        #expect(PendingRecordsFile(path: path).recover(file.mark).isEmpty)
        #expect(PendingRecordsFile(path: path).recover(.init(file: 7, length: .max)).isEmpty)
    }
}
