import Program

/// The request of a command line.
enum Request: ProgramArguments {
    case run(Invocation)
    /// For one verb.
    case help(Verb)

    static var help: String { Help.text(nil) }

    /// Options may stand before and after the verb and its operands.
    init(_ arguments: some Sequence<String>) throws {
        var words: [String] = []
        var options: [(rule: OptionRule, value: String)] = []
        var asked: EarlyExit?
        var reader = OptionReader(arguments)
        while true {
            do {
                guard let argument = try reader.next() else { break }
                switch argument {
                case .operand(let word): words.append(word)
                case .option(let option):
                    guard let rule = Self.rules[option] else {
                        throw reader.unknownOption(among: Self.rules.keys)
                    }
                    let value = rule.value == nil ? "" : try reader.value(mayBeEmpty: true)
                    options.append((rule, value))
                }
            } catch let exit as EarlyExit { asked = asked ?? exit }
        }
        guard let name = words.first else { throw asked ?? Failure.missing(argument: "VERB") }
        guard let verb = Verb.named(name) else {
            throw Failure.unknown(verb: name, among: Verb.all.map(\.name))
        }
        if asked == .help {
            self = .help(verb)
        } else if let asked {
            throw asked
        } else {
            self = .run(
                Invocation(
                    verb: verb, operands: try Self.operands(Array(words.dropFirst()), of: verb),
                    options: try Self.options(options, of: verb)))
        }
    }

    /// All options of all verbs. Options of the same name either all take a value or none does,
    /// because an option may stand before the verb.
    private static let rules: [String: OptionRule] = Dictionary(
        (Verb.commonOptions + Verb.all.flatMap(\.options)).map { ("--\($0.name)", $0) }
    ) { first, _ in first }

    private static func operands(_ operands: [String], of verb: Verb) throws -> [String] {
        if operands.count < verb.count.lowerBound { throw Failure.missing(argument: verb.operands) }
        if operands.count > verb.count.upperBound {
            throw Failure.unexpected(operands[verb.count.upperBound])
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
                throw Failure.notAnOption("--\(rule.name)", of: verb.name)
            }
            if let value = options[rule.name], !own.repeats, own.value != nil {
                throw Failure.usage("given twice", "--\(rule.name) \(value[0])")
            }
            options[rule.name, default: []].append(value)
        }
        return options
    }
}
