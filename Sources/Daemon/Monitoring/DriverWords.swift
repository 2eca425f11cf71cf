package import Model

/// Which words of a source, who drives, are new: HANDBOOK, section 9.
package struct DriverWords: Sendable {
    private enum Last {
        /// Nothing of the source is known yet in this process.
        case unheard
        /// The source was there, and had no word.
        case silent
        case word(String)
    }

    private var last: [DriverSource: Last] = [:]

    package init() {}

    /// A source says who drives.
    /// - Parameters:
    ///   - word: an id; empty for nobody.
    ///   - present: who drives now.
    /// - Returns: whether the word is new, and so counts.
    package mutating func hear(
        _ word: String, from source: DriverSource, present: RecordedDriver?
    ) -> Bool {
        let before = last.updateValue(.word(word), forKey: source) ?? .unheard
        switch before {
        // It may have said so before this process, and another word may have come since.
        case .unheard: return present.map { $0.source == source } ?? true
        case .silent: return true
        case .word(let same): return same != word
        }
    }

    /// The source is there and has no word: whatever it says next is new.
    package mutating func fellSilent(_ source: DriverSource) { last[source] = .silent }
}
