import Bytes
import Foundation

@testable import Storage

/// Cells of a catalogue, changed behind the back of the store.
struct CellEditing {
    let path: String

    func all() throws -> [(number: Int64, bytes: [UInt8])] {
        try sqlite("SELECT number || ' ' || hex(fences) FROM cell ORDER BY number", path)
            .split(separator: "\n").map { row in
                let words = row.split(separator: " ")
                let digits = Array(words[1].utf8)
                let bytes = stride(from: 0, to: digits.count, by: 2).map { offset in
                    UInt8(String(decoding: digits[offset..<offset + 2], as: UTF8.self), radix: 16)
                        ?? 0
                }
                return (Int64(words[0]) ?? 0, bytes)
            }
    }

    func write(_ cells: [(number: Int64, bytes: [UInt8])]) throws {
        let updates = cells.map { number, bytes in
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            return "UPDATE cell SET fences = x'\(hex)' WHERE number = \(number);"
        }
        try sqlite(updates.joined(separator: "\n"), path)
    }

    /// As the programs before the proof rewrote a cell: what they took for records, each with a length
    /// in as few bytes as there can be.
    /// - Parameter change: nil leaves a record, no bytes remove it.
    static func olderRewritten(
        _ bytes: [UInt8], _ change: ([UInt8]) -> [UInt8]? = { _ in nil }
    ) throws -> [UInt8] {
        var result: [UInt8] = [1]
        try bytes.withByteView { bytes in
            var reader = ByteReader(bytes, from: 1)
            while !reader.isAtEnd {
                let record = Array(try reader.take(try reader.varint()))
                let kept = change(record) ?? record
                guard !kept.isEmpty else { continue }
                result.append(varint: UInt64(kept.count))
                result += kept
            }
        }
        return result
    }

    /// As they wrote a cell that nobody else had.
    static func older(_ bytes: [UInt8]) throws -> [UInt8] {
        try olderRewritten(bytes) { $0[0] == 255 ? [] : nil }
    }
}
