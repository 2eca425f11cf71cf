import Geodesy
import Glibc
import Law
import Storage
import Testing
import Time

/// Flash wear. In the log of the database each changed page is written with its header, 1048 bytes;
/// each page once more, at most, when the log is brought into the file.
@Suite("wear")
struct WearTests {
    private static let page = 1_024 + 24
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: "b")
        // After the first commit of every kind.
        _ = try store.commit(record([event(1)]))
        try store.log.save(position(0))
    }

    /// With twenty regions, bytes; its size changes a little all the time.
    private static func checkpoint(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4_500 + number % 20)
    }

    private func position(_ number: Int) -> LastPosition {
        LastPosition(
            coordinate: Coordinate(latitude: Double(number) / 1_000, longitude: 2),
            time: UTCTime(nanoseconds: Int64(number)))
    }

    private func logSize() -> Int {
        var status = stat()
        return stat(scratch.file("events.sqlite-wal"), &status) == 0 ? Int(status.st_size) : 0
    }

    @Test("a position is one page")
    func positions() throws {
        let before = logSize()
        for number in 1...20 { try store.log.save(position(number)) }
        #expect(logSize() - before == 20 * Self.page)
    }

    @Test("an event with its related rows is six pages of a quarter of the usual size")
    func events() throws {
        let before = logSize()
        for number in 1...20 {
            var next = record([event(Double(number))])
            next.opened = [
                OpenStay(
                    fence: "a", added: 1, began: UTCTime(nanoseconds: 1), dwellTold: false)
            ]
            _ = try store.commit(next)
        }
        #expect(logSize() - before <= 115 * Self.page)
    }

    @Test("the engine's state is seven pages more, if it must be in the database")
    func snapshots() throws {
        _ = try store.log.commit(record([event(0)]), checkpoint: Self.checkpoint(0))
        let before = logSize()
        for number in 1...20 {
            _ = try store.log.commit(
                record([event(Double(number))]), checkpoint: Self.checkpoint(number))
            #expect(try store.log.checkpoint()?.bytes == Self.checkpoint(number))
        }
        #expect(logSize() - before <= 270 * Self.page)
    }

    @Test("the log of the database does not grow for ever")
    func log() throws {
        for number in 1...200 {
            _ = try store.log.commit(
                record([event(Double(number))]), checkpoint: Self.checkpoint(number))
        }
        #expect(logSize() <= 1_050 * Self.page)
    }
}
