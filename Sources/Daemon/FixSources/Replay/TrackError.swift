/// Why a recording cannot be read, or not further.
package struct TrackError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package var reason: String
    /// Of the recording.
    package var path: String
    /// From 1; nil where the whole file is meant.
    package var line: Int?

    package init(_ reason: String, path: String, line: Int? = nil) {
        self.reason = reason
        self.path = path
        self.line = line
    }

    /// `what is wrong: where`.
    package var description: String {
        "\(reason): \(path)" + (line.map { ":\($0)" } ?? "")
    }
}
