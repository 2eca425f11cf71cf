/// The request of a command line.
enum Request {
    case run(Invocation)
    /// For the tool, or for one verb.
    case help(Verb?)
    case version

    /// Reads the arguments, without the program's name. Options may stand before and after the verb
    /// and its operands; `--` ends them; `-` is an operand.
    /// - Throws: ``Failure`` with status 2.
    init(_ arguments: [String]) throws {
        var words: [String] = []
        var options: [(rule: OptionRule, value: String)] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            options.append(try Self.option(argument, &rest))
        }
        let given = Set(options.map(\.rule.name))
        guard let name = words.first else {
            if given.contains("version") {
                self = .version
                return
            }
            guard given.contains("help") else {
                throw Failure.usage("a verb is missing", "geofencectl --help lists them")
            }
            self = .help(nil)
            return
        }
        guard let verb = Verb.named(name) else { throw Failure.usage("unknown verb", name) }
        if given.contains("help") {
            self = .help(verb)
        } else if given.contains("version") {
            self = .version
        } else {
            self = .run(
                Invocation(
                    verb: verb, operands: try Self.operands(Array(words.dropFirst()), of: verb),
                    options: try Self.options(options, of: verb)))
        }
    }

    /// Reads one option with its value, which may be the next argument, even one with a hyphen.
    private static func option(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws -> (OptionRule, String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = parts.first.map(String.init) ?? argument
        let name = written == "-h" ? "help" : String(written.dropFirst(2))
        guard written == "-h" || written.hasPrefix("--"), let rule = rules[name] else {
            throw Failure.usage("unknown option", written)
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        guard rule.value != nil else {
            guard attached == nil else { throw Failure.usage("takes no value", written) }
            return (rule, "")
        }
        guard let value = attached ?? rest.popFirst() else {
            throw Failure.usage("a value is missing", written)
        }
        return (rule, value)
    }

    /// All options of all verbs. Options of the same name either all take a value or none does,
    /// because an option may stand before the verb.
    private static let rules: [String: OptionRule] = Dictionary(
        (Verb.commonOptions + Verb.all.flatMap(\.options)).map { ($0.name, $0) }
    ) { first, _ in first }

    private static func operands(_ operands: [String], of verb: Verb) throws -> [String] {
        if operands.count < verb.count.lowerBound {
            throw Failure.usage("missing operand of \(verb.name)", verb.operands)
        }
        if operands.count > verb.count.upperBound {
            throw Failure.usage(
                "one operand too many for \(verb.name)", operands[verb.count.upperBound])
        }
        return operands
    }

    private static func options(
        _ given: [(rule: OptionRule, value: String)], of verb: Verb
    ) throws -> [String: [String]] {
        var options: [String: [String]] = [:]
        for (rule, value) in given {
            let known = verb.options + Verb.commonOptions
            guard let own = known.first(where: { $0.name == rule.name }) else {
                throw Failure.usage("not an option of \(verb.name)", "--\(rule.name)")
            }
            if let value = options[rule.name], !own.repeats, own.value != nil {
                throw Failure.usage("given twice", "--\(rule.name) \(value[0])")
            }
            options[rule.name, default: []].append(value)
        }
        return options
    }
}
