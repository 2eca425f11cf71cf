/// What a shell offers where a value or an operand is typed; the completions of the shells are made of it.
package enum Completion: Hashable, Sendable {
    /// Whatever the user means.
    case nothing
    case words([String])
    /// The beginnings of words, which go on.
    case prefixes([String])
    case files
    case directories
    case list(List)
    /// One of these first, then what follows it; or else something of a list.
    case nouns([Noun], or: List? = nil)

    /// A word and what comes after it.
    package struct Noun: Hashable, Sendable {
        /// As it is typed.
        package let name: String
        /// What each operand after it is one of; nil where there is none to offer.
        package let then: Completion?

        init(_ name: String, then: Completion? = nil) {
            self.name = name
            self.then = then
        }
    }

    /// What the tool itself lists.
    package enum List: String, CaseIterable, Sendable {
        case fences
        case origins
        case beacons
        case consumers
        case sources

        /// What it has besides.
        package var words: [String] { self == .origins ? ["bus"] : [] }

        /// What prints it, one a line, for every shell. Of the fences only those that begin with the word
        /// which is being typed, and the first of these: a catalogue may hold a million.
        /// - Parameter word: the shell's expression for that word.
        package func pipeline(word: String) -> String {
            switch self {
            case .fences: "list --prefix \(word) 2>/dev/null | head -n 500 | cut -f1"
            case .origins: "list 2>/dev/null | head -n 500 | cut -f4 | grep / | sort -u"
            case .beacons: "beacon list 2>/dev/null | cut -f1"
            case .consumers: "consumer list 2>/dev/null | cut -f1"
            case .sources: "sync 2>/dev/null | cut -f1"
            }
        }
    }

    /// By what the help calls it: `FILE…`.
    init(of text: String) {
        switch text.filter({ $0.isLetter }) {
        case "FILE", "TRACK": self = .files
        case "DIR", "DIRECTORY": self = .directories
        case "ID": self = .list(.fences)
        case "ORIGIN": self = .list(.origins)
        default: self = .nothing
        }
    }
}
