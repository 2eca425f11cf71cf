import Bytes
package import Files
import Glibc

/// What a program exits with.
package struct ExitStatus: Hashable, Sendable {
    /// 0 to 255.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// It did what it was asked for, or was asked to stop.
    package static let good = ExitStatus(0)
    /// It failed.
    package static let failed = ExitStatus(1)
    /// It was called wrongly, or is configured so that another try ends in the same way.
    package static let unusable = ExitStatus(2)
}

/// Why a program ends: shown as `NAME: what is wrong: where`.
package struct Failure: Error, Hashable, CustomStringConvertible {
    /// What the program exits with.
    package let status: ExitStatus
    /// What is wrong, and where; empty if it has been said.
    package let description: String

    private init(_ status: ExitStatus, _ reason: String, _ place: String) {
        self.status = status
        description = place.isEmpty ? reason : "\(reason): \(place)"
    }

    /// - Parameter place: empty if the reason contains it.
    package init(_ reason: String, _ place: String = "") { self.init(.failed, reason, place) }

    package init(_ error: Errno, _ place: String) { self.init(error.description, place) }

    /// What `body` does with the file at this path.
    package static func at<Value>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(Failure) -> Value {
        do throws(Errno) { return try body() } catch { throw Failure(error, path) }
    }

    /// Stopped by a signal, with a shell's exit status.
    package static func interrupted(_ signal: Int32) -> Failure {
        Failure(ExitStatus(128 + signal), "interrupted", "")
    }

    /// The reader of its output has gone: the status a shell gives for SIGPIPE, without a message.
    package static let unread = Failure(ExitStatus(128 + SIGPIPE), "", "")

    /// Everything has been reported already.
    package static let silent = Failure(.failed, "", "")

    // MARK: Mistakes on the command line, in the same words in every program

    /// A mistake that has no words of its own below.
    package static func usage(_ reason: String, _ place: String = "") -> Failure {
        Failure(.unusable, reason, place)
    }

    /// The program has no such option.
    /// - Parameters:
    ///   - option: with its hyphens, here and below.
    ///   - known: those that it has; the one that may be meant is named.
    package static func unknown(
        option: String, among known: some Sequence<String> = EmptyCollection()
    ) -> Failure {
        usage("unknown option", asking(option, known))
    }

    /// The program has no such verb.
    /// - Parameter known: those that it has; the one that may be meant is named.
    package static func unknown(
        verb: String, among known: some Sequence<String> = EmptyCollection()
    ) -> Failure {
        usage("unknown verb", asking(verb, known))
    }

    /// The word, and the known one that is nearest to it, if one is near: up to two letters differ, of
    /// short words one, or it is the beginning of that one alone.
    private static func asking(_ word: String, _ known: some Sequence<String>) -> String {
        let known = Set(known).sorted()
        let letters = word.filter { $0 != "-" }.count
        let limit = letters < 3 ? 0 : letters < 5 ? 1 : 2
        let near = known.compactMap { other in
            word.editDistance(to: other, atMost: limit).map { ($0, other) }
        }
        let begun = letters < 2 ? [] : known.filter { $0.hasPrefix(word) }
        guard let meant = near.min(by: <)?.1 ?? (begun.count == 1 ? begun[0] : nil) else {
            return word
        }
        return "\(word) (did you mean \(meant)?)"
    }

    /// The program has this option, the verb has not.
    package static func notAnOption(_ option: String, of verb: String) -> Failure {
        usage("not an option of \(verb)", option)
    }

    /// Nothing follows the option, or nothing but `=`.
    package static func needsValue(_ option: String) -> Failure {
        usage("option needs a value", option)
    }

    /// A `=` follows an option that has no value.
    package static func takesNoValue(_ option: String) -> Failure {
        usage("option takes no value", option)
    }

    /// One operand too many.
    package static func unexpected(_ argument: String) -> Failure {
        usage("unexpected argument", argument)
    }

    /// One operand too few.
    /// - Parameter argument: as the help calls it: `FILE…`.
    package static func missing(argument: String) -> Failure {
        usage("missing argument", argument)
    }

    /// What was asked for cannot be done without this option.
    /// - Parameter option: with its value, as the help calls it: `--fences FILE`.
    package static func missing(option: String) -> Failure { usage("missing option", option) }
}
