import Foundation
import Testing

/// Bodies of recorded answers.
enum Recorded {
    /// Without the head, which ends with an empty line.
    static func body(_ name: String) throws -> [UInt8] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Data/\(name)")
        let bytes = [UInt8](try Data(contentsOf: path))
        guard name.hasSuffix(".http") || name.hasSuffix(".cgi") else { return bytes }
        for end in [[13, 10, 13, 10], [10, 10]] as [[UInt8]] {
            for index in bytes.indices.dropLast(end.count)
            where bytes[index] == end[0] && Array(bytes[index..<index + end.count]) == end {
                return Array(bytes[(index + end.count)...])
            }
        }
        Issue.record("no head in \(name)")
        return bytes
    }
}
