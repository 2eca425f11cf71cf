/// Why a recording cannot be read, or not to its end.
package struct TrackError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package var reason: String
    /// The path of the recording.
    package var path: String
    /// From 1; nil for the whole file.
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
