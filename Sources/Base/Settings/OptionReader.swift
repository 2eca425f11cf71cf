/// The command line of a companion, argument by argument. Options are written `--name VALUE`,
/// `--name=VALUE` or `--name`; a value may begin with a hyphen; `--` ends them, and `-` is an
/// operand. Every companion has `--help`, `-h` and `--version`.
package struct OptionReader {
    /// Why a program exits without running.
    package enum EarlyExit: Error, Hashable, Sendable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// One argument.
    package enum Argument: Hashable, Sendable {
        /// The name of an option, with its hyphens, without a value.
        case option(String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    /// The last option, as written.
    private var written = ""
    /// The last option, without its value.
    private var option = ""
    /// The value attached to the last option with `=`; nil once it has been used.
    private var attached: String?
    private var isAfterOptions = false

    /// - Parameter arguments: without the name of the program.
    package init(_ arguments: some Sequence<String>) { rest = Array(arguments)[...] }

    /// The next argument; nil after the last.
    /// - Throws: ``EarlyExit``, also for a value of an option that takes none.
    package mutating func next() throws(EarlyExit) -> Argument? {
        guard attached == nil else { throw unknownOption }
        guard let argument = rest.popFirst() else { return nil }
        guard !isAfterOptions, argument.hasPrefix("-"), argument != "-" else {
            return .operand(argument)
        }
        guard argument != "--" else {
            isAfterOptions = true
            return try next()
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        written = argument
        option = parts.first.map(String.init) ?? ""
        attached = parts.count > 1 ? String(parts[1]) : nil
        switch argument {
        case "--help", "-h": throw .help
        case "--version": throw .version
        default: return .option(option)
        }
    }

    /// The value of the last option, never empty.
    package mutating func value() throws(EarlyExit) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("option needs a value: \(option)")
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
    ) throws(EarlyExit) -> Value {
        let text = try value()
        guard let value = parse(text) else { throw .usage("\(flaw): \(option) \(text)") }
        return value
    }

    /// The error for the last option, which the program does not have.
    package var unknownOption: EarlyExit { .usage("unknown option: \(written)") }

    /// The name of an instance, the only operand of a companion.
    /// - Parameter what: what the name is for, for the message: `a source`.
    package static func instance(
        _ operands: [String], of what: String
    ) throws(EarlyExit) -> String {
        guard let name = operands.first else { throw .usage("the name of \(what) is missing") }
        guard operands.count == 1 else { throw .usage("unexpected argument: \(operands[1])") }
        guard InstanceName.isValid(name) else {
            throw .usage("no name of letters, digits, - and _ that begins with a letter: \(name)")
        }
        return name
    }
}
