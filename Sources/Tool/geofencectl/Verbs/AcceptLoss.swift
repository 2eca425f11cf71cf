import BusClient
import Engine
import JSON
import Program

extension Verb {
    static let acceptLoss = Verb(
        "accept-loss", "[ORIGIN]", 0...1,
        summary: "stops missing fences that were lost",
        details: """
            What the daemon had accepted and does not have any more, since a file of its state was
            damaged, deleted or replaced by an older one, is missed (fences-lost) until it is
            imported again or this is said: of one origin, such as bus or source/depots, or of all.
            It prints what is not missed any more.
            """,
        run: runAcceptLoss)
}

@MainActor
private func runAcceptLoss(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    let origin = try invocation.operands.first.map { text in
        do throws(FlawedOrigin) { return try FenceOrigin(text: text) } catch {
            throw Failure.usage("names no origin", text)
        }
    }
    let lost = try daemon.origins().filter {
        $0.lost != nil && (origin == nil || $0.origin == origin)
    }
    guard !lost.isEmpty else {
        throw Failure("no fences are missed", origin?.text ?? "all origins")
    }
    try daemon.acceptLoss(of: origin)
    for summary in lost {
        let fences = summary.lost?.fences ?? 0
        guard invocation.isJSON else {
            let count = fences > 0 ? "\(fences) fences" : "fences, nobody knows how many"
            try StandardOutput.line("\(summary.origin.text): \(count)")
            continue
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("origin")
        json.string(summary.origin.text)
        json.key("lost")
        json.integer(fences)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}
