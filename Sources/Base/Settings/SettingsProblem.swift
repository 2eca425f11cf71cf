/// Something in the configuration that was ignored.
package struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Path of the configuration file.
    package var file: String
    /// From 1; nil when the file as a whole could not be read.
    package var line: Int?
    /// The key concerned, if it is one.
    package var key: String?
    /// A phrase without a full stop.
    package var reason: String

    package init(file: String, line: Int? = nil, key: String? = nil, reason: String) {
        self.file = file
        self.line = line
        self.key = key
        self.reason = reason
    }

    /// What is wrong with a value: it is repeated, unless it may be an address with a password in it.
    package static func reason(_ flaw: BadValue, for value: String) -> String {
        value.utf8.contains(UInt8(ascii: "@")) ? flaw.reason : "\(value): \(flaw.reason)"
    }

    /// `FILE:LINE: KEY: REASON`
    package var description: String {
        let location = line.map { "\(file):\($0)" } ?? file
        return [location, key.map(Self.shown), Self.shown(reason)].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// What a file says is shown in part, and without what a terminal interprets.
    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard shown.count < 1_000 else { return String(shown) + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}
