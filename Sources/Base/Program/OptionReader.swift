/// What every program is asked for instead of its work.
package enum EarlyExit: Error, Hashable, Sendable {
    case help
    case version
}

/// A command line, argument by argument. Options are written `--name VALUE`, `--name=VALUE` or
/// `--name`; a value may begin with a hyphen; `--` ends them, and `-` is an operand. Every program
/// has `--help`, `-h` and `--version`.
package struct OptionReader {
    /// One argument.
    package enum Argument: Hashable, Sendable {
        /// The name of an option, with its hyphens, without a value.
        case option(String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    /// The last option, without its value.
    private var option = ""
    /// The value attached to the last option with `=`; nil once it has been used.
    private var attached: String?
    private var isAfterOptions = false

    /// - Parameter arguments: without the name of the program.
    package init(_ arguments: some Sequence<String>) { rest = Array(arguments)[...] }

    /// The next argument; nil after the last.
    /// - Throws: ``EarlyExit``, after which the next one can be read; ``Failure`` for a value of an
    ///   option that takes none.
    package mutating func next() throws -> Argument? {
        guard attached == nil else { throw Failure.takesNoValue(option) }
        guard let argument = rest.popFirst() else { return nil }
        guard !isAfterOptions, argument.hasPrefix("-"), argument != "-" else {
            return .operand(argument)
        }
        guard argument != "--" else {
            isAfterOptions = true
            return try next()
        }
        // By scalar: an accent at the beginning of the value is on the sign, to Swift.
        let parts = argument.unicodeScalars.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        option = parts.first.map { String($0) } ?? ""
        attached = parts.count > 1 ? String(parts[1]) : nil
        switch option {
        case "--help", "-h", "--version":
            guard attached == nil else { throw Failure.takesNoValue(option) }
            throw option == "--version" ? EarlyExit.version : .help
        default: return .option(option)
        }
    }

    /// The value of the last option.
    /// - Parameter mayBeEmpty: otherwise an empty one is missing.
    package mutating func value(mayBeEmpty: Bool = false) throws(Failure) -> String {
        guard let value = attached ?? rest.popFirst(), mayBeEmpty || !value.isEmpty else {
            throw .needsValue(option)
        }
        attached = nil
        return value
    }

    /// The value of the last option, parsed.
    /// - Parameters:
    ///   - flaw: what is wrong with an invalid value, for the message: `neither on nor off`.
    ///   - parse: nil for such a value.
    package mutating func value<Value>(
        _ flaw: String, _ parse: (String) -> Value?
    ) throws(Failure) -> Value {
        let text = try value()
        guard let value = parse(text) else { throw .usage(flaw, "\(option) \(text)") }
        return value
    }

    /// The error for the last option, which the program does not have.
    package var unknownOption: Failure { unknownOption(among: []) }

    /// The same, of a program that has these, which are written with their hyphens.
    package func unknownOption(among known: some Sequence<String>) -> Failure {
        .unknown(option: option, among: Array(known) + ["--help", "--version"])
    }
}
