import BusClient
import Geofence1
import JSON
import Model
import Program

extension Verb {
    static let acceptLoss = Verb(
        "accept-loss", "[ORIGIN]", 0...1,
        summary: "stops missing fences, or events, that were lost",
        details: """
            What the daemon had accepted and does not have any more, since a file of its state was
            damaged, deleted or replaced by an older one, is missed (fences-lost) until it is
            imported again or this is said: of one origin, such as bus or source/depots, or of all.
            With --log, the events that the log has lost with its end (log-lost) are not missed any
            more. It prints what is not missed any more.
            """,
        options: [OptionRule("log", "the events that the log has lost, and no fences")],
        run: runAcceptLoss)
}

@MainActor
private func runAcceptLoss(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    if invocation.has("log") {
        if let text = invocation.operands.first {
            throw Failure.usage("not together with --log", text)
        }
        return try acceptLogLoss(daemon, invocation)
    }
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

@MainActor
private func acceptLogLoss(_ daemon: DaemonClient, _ invocation: Invocation) throws {
    let status = DaemonStatus(properties: try daemon.properties())
    guard status[.degraded].contains("log-lost") else {
        throw Failure("no events are missed", "the log")
    }
    try daemon.acceptLogLoss()
    guard invocation.isJSON else { return try StandardOutput.line("log: events") }
    var json = JSONWriter()
    json.beginObject()
    json.key("log")
    json.bool(true)
    json.endObject()
    json.endLine()
    try StandardOutput.write(json.bytes)
}
