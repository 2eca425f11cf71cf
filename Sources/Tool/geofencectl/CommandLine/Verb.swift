import Program

/// One option: `--name`, or `--name VALUE`.
package struct OptionRule: Hashable, Sendable {
    /// Without the hyphens.
    package let name: String
    /// What the help calls its value; nil when it takes none.
    package let value: String?
    /// It may be given more than once.
    package let repeats: Bool
    /// A phrase for the help.
    package let summary: String
    /// Of its value.
    package let completion: Completion

    /// - Parameter completion: follows from `value` where none is given.
    init(
        _ name: String, value: String? = nil, repeats: Bool = false, _ summary: String,
        completion: Completion? = nil
    ) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.summary = summary
        self.completion = completion ?? Completion(of: value ?? "")
    }
}

/// One verb of the tool: its arguments, its help, and its action.
package struct Verb: Sendable {
    /// As it is typed: `import`.
    package let name: String
    /// What the help calls its operands: `TRACK`, `ID…`; empty when it takes none.
    package let operands: String
    /// How many operands it takes.
    package let count: ClosedRange<Int>
    /// One line for the list of verbs.
    package let summary: String
    /// For its own help: sentences, in lines of at most 78 columns.
    package let details: String
    /// The options beside those that every verb takes.
    package let options: [OptionRule]
    /// Of its operands.
    package let completion: Completion
    let run: @MainActor @Sendable (Invocation) throws -> Void

    init(
        _ name: String, _ operands: String = "", _ count: ClosedRange<Int> = 0...0,
        summary: String, details: String = "", options: [OptionRule] = [],
        completion: Completion? = nil,
        run: @escaping @MainActor @Sendable (Invocation) throws -> Void
    ) {
        self.name = name
        self.operands = operands
        self.count = count
        self.summary = summary
        self.details = details
        self.options = options
        self.completion = completion ?? Completion(of: operands)
        self.run = run
    }

    /// The options of every verb.
    package static let commonOptions = [
        OptionRule(
            "bus", value: "BUS",
            "system (the default), session, or a D-Bus address of the daemon's bus",
            completion: .words(["system", "session"])),
        OptionRule("json", "one JSON object per line"),
        OptionRule("help", "show this help"),
        OptionRule("version", "show the version"),
    ]

    /// The verb of this name; nil if there is none.
    package static func named(_ name: String) -> Verb? { all.first { $0.name == name } }
}

/// The verb, operands and options of a command line.
struct Invocation: Sendable {
    var verb: Verb
    var operands: [String]
    /// By name, in the order given; a flag has empty values.
    var options: [String: [String]]

    var isJSON: Bool { has("json") }

    func has(_ option: String) -> Bool { options[option] != nil }

    /// The value of an option; if it is repeated, the last.
    func value(_ option: String) -> String? { options[option]?.last }

    func values(_ option: String) -> [String] { options[option] ?? [] }

    /// A number within a range.
    /// - Throws: ``Failure`` naming the option and its value.
    func number(_ option: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw Failure.usage(
                "not a number from \(shown(range.lowerBound)) to \(shown(range.upperBound))",
                "--\(option) \(text)")
        }
        return number
    }

    /// A whole number within a range.
    /// - Throws: ``Failure`` naming the option and its value.
    func integer(_ option: String, in range: ClosedRange<UInt64>) throws -> UInt64? {
        guard let text = value(option) else { return nil }
        guard let number = UInt64(text), range.contains(number) else {
            throw Failure.usage(
                "not a whole number from \(range.lowerBound) to \(range.upperBound)",
                "--\(option) \(text)")
        }
        return number
    }

    private func shown(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
