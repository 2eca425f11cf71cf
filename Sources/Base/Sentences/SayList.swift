/// Kinds of events of a fence that are said aloud: `enter overspeed`, or `none`.
package struct SayList: Hashable, Sendable {
    /// The names of those that can be.
    package static let all = [
        "enter", "exit", "dwell", "initial", "overspeed", "overspeed-end", "no-stop", "overstay",
        "arriving", "arriving-over",
    ]

    /// The names of those that are.
    package private(set) var kinds: Set<String>

    /// What one who sets a speed limit, a stop or a longest stay means the driver to know.
    package static let usual = SayList(kinds: ["overspeed", "no-stop", "overstay"])

    private init(kinds: Set<String>) { self.kinds = kinds }

    /// - Parameter words: names of kinds, or `none` alone.
    package init(_ words: [String]) throws(SayFlaw) {
        kinds = []
        guard words != ["none"] else { return }
        for word in words {
            guard Self.all.contains(word) else { throw SayFlaw(word: word) }
            kinds.insert(word)
        }
    }

    /// - Parameter text: the same, with spaces or commas between them.
    package init(_ text: String) throws(SayFlaw) {
        try self.init(text.split { $0 == " " || $0 == "," }.map(String.init))
    }

    /// As it is written.
    package var text: String {
        kinds.isEmpty ? "none" : Self.all.filter(kinds.contains).joined(separator: " ")
    }
}

/// A word that is no kind of event that can be said.
package struct SayFlaw: Error, CustomStringConvertible {
    let word: String

    package var description: String {
        "\(word) is not one of \(SayList.all.joined(separator: ", ")), nor none alone"
    }
}
