import JSON

/// An entry of a fence file that was refused, or a file that cannot be read on, and where.
package struct FenceFileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// As the reader was told.
    package var file: String
    /// Where the entry begins, from 1; 0 where it is about the file itself.
    package var line: Int
    /// Which entry, from 1; nil where it is not about an entry.
    package var index: Int?
    /// Where the entry got so far as to have one.
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
        let place = line > 0 ? "\(file):\(line)" : file
        return "\(place): " + (entry.isEmpty ? "" : entry + ": ") + reason
    }
}
