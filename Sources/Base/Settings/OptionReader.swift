/// The command line of a companion, argument by argument. Options are written `--name VALUE`,
/// `--name=VALUE` or `--name`; a value may begin with a hyphen; `--` ends them, and `-` is an
/// operand. Every companion has `--help`, `-h` and `--version`.
package struct OptionReader {
    /// Why a program ends without running.
    package enum EarlyExit: Error, Hashable, Sendable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// One argument.
    package enum Argument: Hashable, Sendable {
        /// With its hyphens, without a value.
        case option(String)
        case operand(String)
    }

    private var rest: ArraySlice<String>
    /// The last option, as it is written.
    private var written = ""
    /// The last option, without its value.
    private var option = ""
    /// The value that the last option brings along; nil once it was taken.
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

    /// The value of the last option, which is not empty.
    package mutating func value() throws(EarlyExit) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("option needs a value: \(option)")
        }
        attached = nil
        return value
    }

    /// The same as what it means.
    /// - Parameters:
    ///   - flaw: what is wrong with a value that means nothing, for the message: `neither on nor off`.
    ///   - parse: nil for such a value.
    package mutating func value<Value>(
        _ flaw: String, _ parse: (String) -> Value?
    ) throws(EarlyExit) -> Value {
        let text = try value()
        guard let value = parse(text) else { throw .usage("\(flaw): \(option) \(text)") }
        return value
    }

    /// The last option is none of the program.
    package var unknownOption: EarlyExit { .usage("unknown option: \(written)") }

    /// The name of an instance from the only operand of a companion.
    /// - Parameter what: of what, for the message: `a source`.
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
