import Bytes
import FenceFiles
import JSON
import Model
import Program
import Storage

extension Verb {
    static let check = Verb(
        "check", "FILE…", 1...1000, summary: "is this fence file good?",
        details: """
            Reads GeoJSON, CSV, GPX waypoints, KML or KMZ (- is standard input) and shows every
            entry that would be refused, with file and line, every fence that is accepted with a
            doubt, and what is doubtful about a file as a whole. Nothing is stored and no daemon
            is asked. Fails when something would be refused.
            """,
        options: OptionRule.fenceFile, run: runCheck)
}

@MainActor
private func runCheck(_ invocation: Invocation) throws {
    var findings = Findings(isJSON: invocation.isJSON)
    let options = try invocation.fenceFileOptions()
    for operand in invocation.operands { try findings.check(operand, options) }
    try findings.finish()
}

/// Counts errors and warnings, and prints each when it is found.
@MainActor
private struct Findings {
    let isJSON: Bool
    private var good = 0
    private var refused = 0
    private var doubtful = 0
    /// Remarks about whole files.
    private var remarks = 0
    /// Files that are loaded together are one batch: an id may be in only one of them.
    private var owners: [FenceKey: String] = [:]

    init(isJSON: Bool) { self.isJSON = isJSON }

    mutating func check(_ operand: String, _ options: FenceFileReader.Options) throws {
        let reader: FenceFileReader
        do throws(FenceFileProblem) {
            reader = try FenceFileReader(operand: operand, options: options)
        } catch {
            return try refuse(error)
        }
        while let entry = reader.nextEntry() {
            switch entry {
            case .refused(let problem): try refuse(problem)
            case .fence(let fence, let line, let index):
                try note(
                    fence,
                    FenceFileProblem(
                        file: reader.name, line: line, index: index, id: fence.id, reason: ""))
            }
        }
        for remark in reader.remarks(options) {
            remarks += 1
            try say(
                FenceFileProblem(file: reader.name, line: 0, reason: remark), "warning", .yellow)
        }
    }

    func finish() throws {
        if isJSON {
            var json = JSONWriter()
            json.beginObject()
            json.key("summary")
            json.beginObject()
            json.key("fences")
            json.integer(good)
            json.key("refused")
            json.integer(refused)
            json.key("warnings")
            json.integer(doubtful + remarks)
            json.endObject()
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        } else {
            let doubts = doubtful > 0 ? ", \(doubtful) of them doubtful" : ""
            try StandardOutput.line("\(good) good\(doubts), \(refused) refused")
        }
        if refused > 0 { throw Failure.silent }
    }

    private mutating func note(_ fence: Fence, _ place: FenceFileProblem) throws {
        var problem = place
        if let owner = owners[FenceKey(fence.id)] {
            problem.reason =
                "the id came before in \(owner == place.file ? "this file" : owner)"
            return try refuse(problem)
        }
        owners[FenceKey(fence.id)] = place.file
        good += 1
        guard let warning = fence.warning else { return }
        doubtful += 1
        problem.reason = warning
        try say(problem, "warning", .yellow)
    }

    private mutating func refuse(_ problem: FenceFileProblem) throws {
        refused += 1
        try say(problem.hinted, "error", .red)
    }

    private func say(_ problem: FenceFileProblem, _ severity: String, _ colour: Colour) throws {
        guard isJSON else {
            let mark = Terminal.output.coloured(severity, colour)
            return try StandardOutput.line("\(mark): \(problem.description.printable)")
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("severity")
        json.string(severity)
        json.key("file")
        json.string(problem.file)
        json.key("line")
        if problem.line > 0 { json.integer(problem.line) } else { json.null() }
        json.key("index")
        if let index = problem.index { json.integer(index) } else { json.null() }
        json.key("id")
        json.optional(problem.id)
        json.key("reason")
        json.string(problem.reason)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}
