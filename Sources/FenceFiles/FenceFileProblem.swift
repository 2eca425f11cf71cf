import JSON

/// A refused entry of a fence file, or a file that cannot be read to its end, and where.
package struct FenceFileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name passed to the reader.
    package var file: String
    /// The line where the entry begins, from 1; 0 if the problem concerns the whole file.
    package var line: Int
    /// The number of the entry, from 1; nil if it does not concern an entry.
    package var index: Int?
    /// The id, if it was read before the problem.
    package var id: String?
    /// A phrase without a full stop.
    package var reason: String
    /// The rest of the file cannot be read.
    package var isFatal: Bool

    package init(
        file: String, line: Int, index: Int? = nil, id: String? = nil, reason: String,
        isFatal: Bool = false
    ) {
        self.file = file
        self.line = line
        self.index = index
        self.id = id
        self.reason = reason
        self.isFatal = isFatal
    }

    /// `fences.geojson:12: fence 3 ("bridge-7"): radius 0.0 is not above 0`
    package var description: String {
        let number = index.map { "fence \($0)" }
        let name = id.map { "\"\(excerpt($0))\"" }
        let entry = [number, number == nil ? name : name.map { "(\($0))" }]
            .compactMap { $0 }.joined(separator: " ")
        let location = line > 0 ? "\(file):\(line)" : file
        return "\(location): " + (entry.isEmpty ? "" : entry + ": ") + reason
    }
}
