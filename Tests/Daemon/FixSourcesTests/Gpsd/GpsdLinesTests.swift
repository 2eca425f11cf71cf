import Glibc
import Model
import Testing

@testable import FixSources

@Suite("gpsd's bytes, cut into lines")
struct GpsdLinesTests {
    private func texts(_ stream: [UInt8], inPiecesOf sizes: [Int]) -> [[UInt8]] {
        var lines = GpsdLines()
        var found: [[UInt8]] = []
        var rest = stream[...]
        var turn = 0
        while !rest.isEmpty {
            let piece = Array(rest.prefix(sizes[turn % sizes.count]))
            turn += 1
            let taken = lines.fill(from: piece.span)
            rest = rest.dropFirst(taken)
            while let line = lines.next({ line in line.indices.map { line[$0] } }) {
                found.append(line)
            }
        }
        return found
    }

    /// The expected result, by the simplest means.
    private func expected(_ stream: [UInt8]) -> [[UInt8]] {
        stream.split(separator: 10, omittingEmptySubsequences: false).dropLast().compactMap {
            guard $0.count < GpsdLines.longest else { return nil }
            let line = $0.last == 13 ? $0.dropLast() : $0
            return line.isEmpty ? nil : Array(line)
        }
    }

    @Test("chunks make no difference, around every relevant size", arguments: -3...3)
    func portions(_ offset: Int) {
        var random = Splitmix(state: UInt64(bitPattern: Int64(offset)) &+ 17)
        for size in [GpsdLines.longest, 2 * GpsdLines.longest, 20_100] {
            var stream = Array("{\"a\":1}\r\n\n\r\nx\n".utf8)
            for _ in 0..<3 {
                stream += [UInt8](repeating: UInt8(ascii: "y"), count: size + offset)
                stream += [[10], [13, 10], []].randomElement(using: &random) ?? []
                stream += Array("short\n".utf8)
            }
            let right = expected(stream)
            for sizes in [
                [stream.count], [GpsdLines.longest + offset], [4096], [1, 16_000], [7, 16_384, 3],
                [GpsdLines.longest - 1, 2],
            ] {
                #expect(texts(stream, inPiecesOf: sizes) == right, "\(size) \(sizes)")
            }
        }
    }

    @Test("data discarded while lines are read does not return, nor anything before it")
    func forgotten() {
        for size in [10, 100, GpsdLines.longest - 40, GpsdLines.longest - 16] {
            var lines = GpsdLines()
            let first = [UInt8](repeating: UInt8(ascii: "x"), count: size) + Array("\nsecond".utf8)
            #expect(lines.fill(from: first.span) == first.count)
            #expect(lines.next { $0.count } == size)
            lines.clear()
            #expect(lines.next { $0.count } == nil)
            let more = [UInt8](repeating: UInt8(ascii: "z"), count: 20_100)
            #expect(lines.fill(from: more.span) == more.count)
            #expect(lines.next { $0.count } == nil)
            #expect(lines.fill(from: Array("\nlast\n".utf8).span) == 6)
            #expect(lines.next { $0.count } == 4)
            #expect(lines.overlong == 1)
        }
    }

    @Test("it may be filled again before its lines are read")
    func notDrained() {
        var lines = GpsdLines()
        let full = [UInt8](repeating: UInt8(ascii: "\n"), count: GpsdLines.capacity)
        for _ in 0..<3 { #expect(lines.fill(from: full.span) == GpsdLines.capacity) }
        #expect(lines.next { $0.count } == nil)
    }

    @Test("text of a peer is short and has no control characters")
    func shown() {
        let line = Array(
            (#"{"class":"ERROR","message":"\u001b]0;owned\u0007\u009b31m\u202e"#
                + String(repeating: "é", count: 900) + #""}"#).utf8)
        guard case .error(let text) = GpsdDecoder().word(line.span) else {
            Issue.record("no error")
            return
        }
        #expect(text.hasPrefix("?]0;owned??31m?é"))
        #expect(text.utf8.count <= PeerText.longest + 3)
    }
}
