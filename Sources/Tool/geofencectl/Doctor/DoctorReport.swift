import Bytes
import JSON

/// What the walk has found, for people and for programs.
@MainActor
struct DoctorReport {
    private let findings: [(step: DoctorStep, finding: Finding)]

    init(_ evidence: DoctorEvidence) {
        findings = DoctorStep.walk
            .filter { evidence.asksForCoverage || $0.name != DoctorStep.coverage.name }
            .map { ($0, $0.judge(evidence)) }
    }

    /// Nothing may be red.
    var isSound: Bool { !findings.contains { $0.finding.verdict == .bad } }

    /// A line for each step, the one thing to do below those that need it, and where to begin.
    func print(_ terminal: Terminal) throws {
        let width = DoctorStep.walk.reduce(0) { max($0, $1.name.columns) } + 2
        for (step, finding) in findings {
            let verdict = terminal.coloured(
                finding.verdict.rawValue.padded(to: 10), finding.verdict.colour)
            try StandardOutput.line(
                verdict + step.name.padded(to: width) + finding.evidence.printable)
            guard let cause = finding.cause else { continue }
            let indent = "".padded(to: 10 + width)
            try StandardOutput.line("\(indent)\(cause.code): \(cause.advice)")
        }
        let bad = findings.first { $0.finding.verdict == .bad }
        guard let first = bad ?? findings.first(where: { $0.finding.cause != nil }),
            let cause = first.finding.cause
        else { return try StandardOutput.line("nothing is wrong") }
        try StandardOutput.line("begin with \(first.step.name): \(cause.advice)")
    }

    /// An object for each step, see geofencectl(1).
    func printJSON() throws {
        for (step, finding) in findings {
            var json = JSONWriter()
            json.beginObject()
            json.key("step")
            json.string(step.name)
            json.key("question")
            json.string(step.question)
            json.key("verdict")
            json.string(finding.verdict.rawValue)
            json.key("cause")
            json.optional(finding.cause?.code)
            json.key("evidence")
            json.string(finding.evidence)
            json.key("do")
            json.optional(finding.cause?.advice)
            if !finding.measured.isEmpty {
                json.key("measured")
                json.beginObject()
                for (name, value) in finding.measured {
                    json.key(name)
                    json.number(value)
                }
                json.endObject()
            }
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
    }
}
