import CGPIO
import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@testable import VehicleInputs

/// The kernel's side of a GPIO line: what it writes goes through a pipe.
@MainActor
private final class Line {
    let loop: EventLoop
    private(set) var reader: LineReader?
    private var end: Int32 = -1
    var heard: [InputReading] = []

    init() throws {
        loop = try EventLoop()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        end = ends[1]
        reader = try LineReader(loop, descriptor: ends[0]) { [weak self] in
            self?.heard.append($0)
        }
    }

    deinit { if end >= 0 { close(end) } }

    /// Edges that arrive together: the ids of linux/gpio.h.
    func edges(_ ids: UInt32...) throws {
        let events = ids.enumerated().map { index, id in
            gpio_line_event(
                timestamp_ns: 1, id: id, offset: 17, seqno: UInt32(index + 1),
                line_seqno: UInt32(index + 1), padding: (0, 0, 0, 0, 0, 0))
        }
        let bytes = events.withUnsafeBytes { Array($0) }
        // The layout of the kernel's interface, which never changes.
        #expect(bytes.count == 48 * ids.count && bytes[8] == UInt8(ids[0]))
        #expect(Glibc.write(end, bytes, bytes.count) == bytes.count)
    }

    func write(bytes: [UInt8]) throws { #expect(Glibc.write(end, bytes, bytes.count) > 0) }

    func goes() {
        close(end)
        end = -1
    }

    func hears(_ readings: InputReading...) throws -> Bool {
        try loop.run { heard == readings }
    }
}

@MainActor
@Suite("Edges of a GPIO line")
struct LineReaderTests {
    @Test("a rising edge is on, a falling edge off, and of several the last counts")
    func edges() throws {
        let line = try Line()
        try line.edges(1)
        #expect(try line.hears(.on))
        try line.edges(2)
        #expect(try line.hears(.on, .off))
        try line.edges(1, 2, 1)
        #expect(try line.hears(.on, .off, .on))
        // More than are read at once.
        try line.edges(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2)
        #expect(try line.loop.run { line.heard.count == 5 })
        #expect(line.heard.last == .off)
    }

    @Test("a line that has gone is said once, and costs nothing from then on")
    func gone() throws {
        let line = try Line()
        line.goes()
        #expect(try line.hears(.absent("the line has gone")))
        let before = line.loop.iteration
        try line.loop.runOnce(timeout: .milliseconds(20))
        try line.loop.runOnce(timeout: .milliseconds(20))
        #expect(line.loop.iteration <= before + 2)
        #expect(line.heard.count == 1)
    }

    @Test("half an event is no event")
    func half() throws {
        let line = try Line()
        try line.write(bytes: [UInt8](repeating: 1, count: 20))
        #expect(try line.hears(.absent("the line has gone")))
    }
}
