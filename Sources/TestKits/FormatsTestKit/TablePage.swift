package import Foundation

/// The parts of pages that are made from tables, between a line that says so and the end of the table.
package enum TablePage {
    /// Whether a page has this text there. With GOLDEN in the environment it is written instead, for
    /// review.
    /// - Parameter source: the folder of the table.
    package static func isAsWritten(
        _ file: URL, _ name: String, from source: String, _ text: String
    ) throws -> Bool {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let beginning = " The table of \(name), from \(source)."
        guard let first = lines.firstIndex(where: { $0.contains(beginning) }),
            let last = lines[first...].firstIndex(where: { $0.contains(" The end of the table.") })
        else { return false }
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            let whole = lines[...first] + [text + lines[last]] + lines[(last + 1)...]
            try Data(whole.joined(separator: "\n").utf8).write(to: file)
            return true
        }
        return lines[(first + 1)..<last].map { "\($0)\n" }.joined() == text
    }
}
