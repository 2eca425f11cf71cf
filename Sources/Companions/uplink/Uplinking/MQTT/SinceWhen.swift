package import Time

/// Since when the words of a status are so, as far as this program has seen. By the clock that is right
/// while the machine runs; a wall clock may be set at any moment.
package struct SinceWhen {
    private var state: (word: String, at: Uptime)?
    private var troubles: [String: Uptime] = [:]

    package init() {}

    /// The state at that moment.
    package mutating func note(_ word: String, at now: Uptime) {
        if state?.word != word { state = (word, now) }
    }

    /// What does not work at that moment.
    package mutating func note(_ words: [String], at now: Uptime) {
        troubles = Dictionary(words.map { ($0, troubles[$0] ?? now) }) { first, _ in first }
    }

    /// Of the state.
    package var ofState: Uptime? { state?.at }

    /// Of something that does not work.
    package func of(_ trouble: String) -> Uptime? { troubles[trouble] }
}
