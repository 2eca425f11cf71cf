/// The text of `--help`.
enum Help {
    /// For the whole tool, or for one verb.
    static func text(_ verb: Verb?) -> String {
        guard let verb else { return overview }
        let operands = verb.operands.isEmpty ? "" : " \(verb.operands)"
        var text = "Usage: geofencectl \(verb.name) [OPTION…]\(operands)\n\n"
        text += sentence(verb.summary) + "\n"
        if !verb.details.isEmpty { text += "\n\(verb.details)\n" }
        return text + "\n" + list(verb.options + Verb.commonOptions).dropLast()
    }

    private static var overview: String {
        let width = Verb.all.map { usage($0).count }.max() ?? 0
        let verbs = Verb.all.map { "  \(padded(usage($0), width))  \($0.summary)" }
        return """
            Usage: geofencectl [OPTION…] VERB …

            Fences, events and state of geofenced, the geofencing service.

            \(verbs.joined(separator: "\n"))

            \(list(Verb.commonOptions))
            geofencectl VERB --help says more.
            """
    }

    private static func list(_ options: [OptionRule]) -> String {
        let written = options.map { option in
            "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = written.map(\.count).max() ?? 0
        return zip(written, options).map { "  \(padded($0, width))  \($1.summary)\n" }.joined()
    }

    private static func usage(_ verb: Verb) -> String {
        verb.operands.isEmpty ? verb.name : "\(verb.name) \(verb.operands)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func sentence(_ phrase: String) -> String {
        phrase.prefix(1).uppercased() + phrase.dropFirst() + "."
    }
}
