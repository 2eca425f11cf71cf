import BusClient
import Formats
import Geofence1
import JSON
import Model
import Program
import Systemd
import Time

extension Verb {
    static let events = Verb(
        "events", summary: "the event log",
        details: """
            The events with greater numbers than --since, oldest first, and with --follow those
            that are still to come. Times are UTC, such as 2026-11-20 or 2026-11-20T07:14:03Z.
            Where the log has a gap behind --since, because it has been cut or has lost its end,
            that is said (with --json: an object that has a "gap" and no "kind"). With --map the
            file is instead of the lines; a map and the formats need events whose position you
            may read.
            """,
        options: [
            OptionRule("since", value: "FROM", "only events after this number"),
            OptionRule("last", value: "N", "only the last N of the log"),
            OptionRule("follow", "wait for more, until interrupted"),
        ] + OptionRule.driveFiles + OptionRule.eventFilters,
        run: runEvents)
}

@MainActor
private func runEvents(_ invocation: Invocation) throws {
    let selection = try EventSelection(invocation)
    let outputs = try DriveOutputs(invocation)
    if outputs.needRecord, invocation.has("follow") {
        throw Failure.usage("not together with --map or --format", "--follow")
    }
    let loop = try EventLoop()
    let daemon = try DaemonClient(invocation, loop: loop)
    var printer = EventPrinter(selection: selection, isJSON: invocation.isJSON)
    if let since = try invocation.integer("since", in: 0...UInt64(Int64.max)) {
        printer.seq = since
        printer.tellsGap = true
    }
    guard !outputs.needRecord else {
        try printer.begin(daemon, last: try invocation.integer("last", in: 1...1_000_000_000))
        return try writeFiles(outputs, try printer.collect(daemon), daemon)
    }
    guard invocation.has("follow") else {
        try printer.begin(daemon, last: try invocation.integer("last", in: 1...1_000_000_000))
        return try printer.drain(daemon)
    }
    // Subscribed before the log is read, so that nothing is missed in between.
    var isDue = true
    let slots = try daemon.onNews { isDue = true }
    try printer.begin(daemon, last: try invocation.integer("last", in: 1...1_000_000_000))
    while daemon.connection.isOpen {
        if isDue {
            isDue = false
            do {
                try printer.drain(daemon)
            } catch let failure as ClientError
                where failure.isAbsence || !daemon.connection.isOpen
            {
                // A daemon comes back, which its name shows. A bus does not.
            }
            try StandardOutput.flush()
        }
        try loop.runOnce(timeout: .seconds(3600))
    }
    withExtendedLifetime(slots) {}
    throw Failure("the bus has closed the connection", daemon.busName)
}

/// The map of a log, or its events for other programs.
@MainActor
private func writeFiles(
    _ outputs: DriveOutputs, _ events: [LoggedEvent], _ daemon: DaemonClient
) throws {
    func fence(_ id: String) throws(ClientError) -> Fence? {
        do { return try daemon.fence(id).fence } catch  where error.is(.noSuchFence) { return nil }
    }
    let record = try DriveRecord(events, fence: fence)
    if record.fixes.isEmpty, !events.isEmpty {
        StandardError.warn("none of these events has a position that you may read")
    }
    let making = DriveJSON.Making(fences: record.fences.count)
    try outputs.write(record, making, title: "geofenced: events", fence: fence)
}

/// Reads the log from its present position.
@MainActor
private struct EventPrinter {
    let selection: EventSelection
    let isJSON: Bool
    /// The last event that was read.
    var seq: UInt64 = 0
    /// A gap matters only after something has been read.
    var tellsGap = false

    /// Skips to the last events of the log, if only those are wanted.
    mutating func begin(_ daemon: DaemonClient, last: UInt64?) throws {
        guard let last else { return }
        let newest = try daemon.properties()["LastSeq"]?.asUInt64 ?? 0
        seq = max(seq, newest > last ? newest - last : 0)
    }

    /// Prints everything there is.
    mutating func drain(_ daemon: DaemonClient) throws {
        while true {
            let page = try daemon.events(after: seq, of: selection.ids)
            if page.hasGap, tellsGap { try sayGap(page, daemon) }
            tellsGap = true
            for event in page.events where selection.admits(event.event) {
                try StandardOutput.write(
                    isJSON
                        ? EventJSON.line(event)
                        : Array((EventLine.text(event, .output) + "\n").utf8))
            }
            seq = page.next
            guard !page.events.isEmpty else { return }
        }
    }

    /// Everything there is that is wanted.
    /// - Throws: ``Failure`` where that is more than one file can hold.
    mutating func collect(_ daemon: DaemonClient) throws -> [LoggedEvent] {
        var events: [LoggedEvent] = []
        while true {
            let page = try daemon.events(after: seq, of: selection.ids)
            events += page.events.filter { selection.admits($0.event) }
            guard events.count <= DriveRecord.mostEvents else {
                throw Failure(
                    "more than \(DriveRecord.mostEvents) events; --after, --before and --last say "
                        + "which")
            }
            seq = page.next
            guard !page.events.isEmpty else { return events }
        }
    }

    private func sayGap(_ page: EventLogPage, _ daemon: DaemonClient) throws {
        // With whichever event the log goes on, also one that is not wanted.
        var (seq, page) = (seq, page)
        if !selection.ids.isEmpty {
            page = try daemon.events(after: seq)
            while !page.hasGap, page.next > seq {
                seq = page.next
                page = try daemon.events(after: seq)
            }
        }
        let next = page.events.first?.seq ?? page.next + 1
        guard isJSON else {
            return StandardError.warn("the log has a gap: after \(seq) comes \(next)")
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("gap")
        json.beginObject()
        json.key("after")
        json.integer(seq)
        json.key("next")
        json.integer(next)
        json.endObject()
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}
