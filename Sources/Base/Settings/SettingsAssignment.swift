/// Settings from the command line.
extension LoadedSettings {
    /// Applies assignments as in the file, each with its section: `Crossing.SettleSec=20s`. They come
    /// later than everything before.
    /// - Parameter sections: those whose keys may be set.
    /// - Throws: ``AssignmentError`` for the first that will not do.
    package mutating func set(
        _ assignments: [String], in sections: Set<String>
    ) throws(AssignmentError) {
        for text in assignments {
            guard let equals = text.firstIndex(of: "="),
                let point = text[..<equals].firstIndex(of: ".")
            else { throw AssignmentError(text: text, reason: "not Section.Key=VALUE") }
            let section = String(text[..<point])
            guard sections.contains(section) else {
                let names = sections.sorted().joined(separator: ", ")
                throw AssignmentError(text: text, reason: "not a key of \(names)")
            }
            let entry = INI.Entry(
                line: 0, section: section, key: String(text[text.index(after: point)..<equals]),
                value: String(text[text.index(after: equals)...]))
            if entry.key.isEmpty {
                throw AssignmentError(text: text, reason: "not Section.Key=VALUE")
            }
            if let problem = apply(entry, file: "--set") {
                throw AssignmentError(text: text, reason: problem.reason)
            }
        }
        let before = problems.count
        checkRules()
        if let problem = problems.dropFirst(before).first {
            throw AssignmentError(
                text: assignments.last ?? "", reason: problem.reason)
        }
    }
}

/// An assignment that cannot be made.
package struct AssignmentError: Error, Hashable {
    /// As it was written.
    package var text: String
    /// A phrase without a full stop.
    package var reason: String
}
