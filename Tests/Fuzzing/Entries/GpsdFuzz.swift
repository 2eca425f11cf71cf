import FixSources
import Glibc
import Model

/// Bytes of gpsd, in chunks as from a socket, and as a log: both must give the same reports.
enum GpsdFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, bytes.count <= 40_000 else { return nil }
        let stream = Array(bytes.dropFirst())
        let recorded = recorded(stream)
        let live = live(stream, piece: Int(first) + 1)
        guard recorded == live else {
            return "in pieces of \(Int(first) + 1): \(live), as a log: \(recorded)"
        }
        let reports = recorded.compactMap {
            if case .report(let report, _) = $0 { report } else { nil }
        }
        return NmeaFuzz.replayFlaw(reports)
    }

    /// The report of every complete line.
    private static func live(_ stream: [UInt8], piece: Int) -> [GpsdWord] {
        var lines = GpsdLines()
        let decoder = GpsdDecoder()
        var words: [GpsdWord] = []
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return [] }
        defer { for end in ends { close(end) } }
        var rest = stream[...]
        while !rest.isEmpty {
            let now = rest.prefix(piece)
            rest = rest.dropFirst(now.count)
            guard now.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == now.count
            else { return [] }
            guard lines.fill(from: ends[0]) == now.count else { return [.error("not all read")] }
            while let word = lines.next(decoder.word) { words.append(word) }
        }
        return words
    }

    private static func recorded(_ stream: [UInt8]) -> [GpsdWord] {
        var lines = GpsdLines()
        let decoder = GpsdDecoder()
        var words: [GpsdWord] = []
        var taken = 0
        while taken < stream.count {
            taken += lines.fill(from: stream.span.extracting(taken...))
            while let word = lines.next(decoder.word) { words.append(word) }
        }
        return words
    }
}
