import Fencing
import FixSources
import Glibc

/// Bytes of gpsd, in pieces as a socket gives them, and as a log. The first byte says how long the
/// pieces are.
enum GpsdFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, bytes.count <= 20_000 else { return nil }
        let stream = Array(bytes.dropFirst())
        let whole = live(stream, piece: stream.count)
        let pieces = live(stream, piece: Int(first) + 1)
        guard whole == pieces else {
            return "in pieces of \(Int(first) + 1): \(pieces), whole: \(whole)"
        }
        return NmeaFuzz.replayFlaw(whole.compactMap(\.self))
            ?? NmeaFuzz.replayFlaw(recorded(stream))
    }

    /// The report of every TPV, nil where libgps cannot read it.
    private static func live(_ stream: [UInt8], piece: Int) -> [PositionReport?] {
        let buffer = GpsdBuffer()
        let decoder = TpvDecoder()
        var reports: [PositionReport?] = []
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return [] }
        defer { for end in ends { close(end) } }
        var rest = stream[...]
        while !rest.isEmpty {
            let now = rest.prefix(max(piece, 1))
            rest = rest.dropFirst(now.count)
            guard now.withUnsafeBytes({ write(ends[1], $0.baseAddress, $0.count) }) == now.count
            else { return [] }
            _ = buffer.fill(from: ends[0])
            buffer.lines { line in
                if GpsdWord(line) == .tpv { reports.append(decoder.report(line)) }
                return true
            }
        }
        return reports
    }

    private static func recorded(_ stream: [UInt8]) -> [PositionReport] {
        var lines = GpsdLines()
        let decoder = TpvDecoder()
        var reports: [PositionReport] = []
        func body(_ object: UnsafeMutableBufferPointer<CChar>, _ line: Int) {
            guard object.isObject(ofClass: "TPV") else { return }
            if let report = decoder.report(object) { reports.append(report) }
        }
        stream.withUnsafeBytes { lines.take($0, body) }
        lines.finish(body)
        return reports
    }
}
