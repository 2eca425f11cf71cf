import Bytes
import JSON

/// What the walk has found, for people and for programs.
@MainActor
struct DoctorReport {
    private let findings: [(step: DoctorStep, finding: Finding)]
    private let blindSpots: [String]

    init(_ evidence: DoctorEvidence) {
        blindSpots = evidence.blindSpots
        findings = DoctorStep.walk
            .filter { evidence.asksForCoverage || $0.name != DoctorStep.coverage.name }
            .map { ($0, $0.judge(evidence)) }
    }

    /// Nothing may be red.
    var isSound: Bool { !findings.contains { $0.finding.verdict == .bad } }

    /// A line for each step, one more for each further cause of it, the one thing to do below those
    /// that need it, where to begin, and what nobody has looked at.
    func print(_ terminal: Terminal) throws {
        let width = DoctorStep.walk.reduce(0) { max($0, $1.name.columns) } + 2
        for (step, worst) in findings {
            for (number, finding) in worst.all.enumerated() {
                let verdict = terminal.coloured(
                    finding.verdict.rawValue.padded(to: 10), finding.verdict.colour)
                let name = (number == 0 ? step.name : "").padded(to: width)
                try StandardOutput.line(verdict + name + finding.evidence.printable)
                guard let cause = finding.cause else { continue }
                let indent = "".padded(to: 10 + width)
                try StandardOutput.line("\(indent)\(cause.code): \(cause.advice.printable)")
            }
        }
        try printBeginning()
        let unseen = findings.filter { $0.finding.verdict == .unknown }.map(\.step.name)
        try StandardOutput.line("not looked at: \((unseen + blindSpots).joined(separator: "; "))")
    }

    private func printBeginning() throws {
        let bad = findings.first { $0.finding.verdict == .bad }
        guard let first = bad ?? findings.first(where: { $0.finding.cause != nil }),
            let cause = first.finding.cause
        else { return try StandardOutput.line("nothing is wrong") }
        try StandardOutput.line("begin with \(first.step.name): \(cause.advice.printable)")
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
            finding.write(to: &json)
            if !finding.also.isEmpty {
                json.key("also")
                json.beginArray()
                for other in finding.also {
                    json.beginObject()
                    other.write(to: &json)
                    json.endObject()
                }
                json.endArray()
            }
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

extension Finding {
    /// What it comes to, without what else was found.
    fileprivate func write(to json: inout JSONWriter) {
        json.key("verdict")
        json.string(verdict.rawValue)
        json.key("cause")
        json.optional(cause?.code)
        json.key("evidence")
        json.string(evidence)
        json.key("do")
        json.optional(cause?.advice)
    }
}
