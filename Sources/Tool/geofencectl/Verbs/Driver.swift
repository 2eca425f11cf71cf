import BusClient
import Bytes
import JSON
import Program
import Time

extension Verb {
    static let driver = Verb(
        "driver", "show | set ID | clear | forget ID", 1...2,
        summary: "who drives, which the log records with every event",
        details: """
            set: from now on events are recorded with this driver, until another is set, or clear:
            with none. forget: deletes the id from the log; the events stay, and have no driver.
            Backups and what has left the machine are not changed by it.
            """,
        completion: .nouns([
            .init("show"), .init("set"), .init("clear"), .init("forget"),
        ]),
        run: runDriver)
}

@MainActor
private func runDriver(_ invocation: Invocation) throws {
    let operands = invocation.operands
    switch (operands[0], operands.dropFirst().first) {
    case ("show", nil): try show(try DaemonClient(invocation), invocation)
    case ("set", let id?) where !id.isEmpty:
        let daemon = try DaemonClient(invocation)
        try daemon.setDriver(id)
        if invocation.isJSON { try write(id, since: nil) }
    case ("clear", nil):
        let daemon = try DaemonClient(invocation)
        try daemon.setDriver(nil)
        if invocation.isJSON { try write(nil, since: nil) }
    case ("forget", let id?):
        let daemon = try DaemonClient(invocation)
        guard try daemon.forgetDriver(id) else {
            throw Failure("no driver of that id is in the log", id.printable)
        }
    case ("set", _), ("forget", _):
        throw Failure.usage("the id of a driver is missing", "driver \(operands[0])")
    case ("show", _), ("clear", _):
        throw Failure.usage("takes no id", "driver \(operands[0])")
    default:
        throw Failure.usage("neither show, set, clear nor forget", "driver \(operands[0])")
    }
}

@MainActor
private func show(_ daemon: DaemonClient, _ invocation: Invocation) throws {
    let driver = try daemon.driver()
    guard !invocation.isJSON else { return try write(driver?.id, since: driver?.since?.iso8601) }
    guard let driver else { return try StandardOutput.line("no driver is set") }
    let since = driver.since.map { ", since \($0.iso8601)" } ?? ""
    try StandardOutput.line(driver.id.printable + since)
}

/// `{"driver":…,"since":…}`, the time only where it is known.
@MainActor
private func write(_ id: String?, since: String?) throws {
    var json = JSONWriter()
    json.beginObject()
    json.key("driver")
    if let id { json.string(id) } else { json.null() }
    if let since {
        json.key("since")
        json.string(since)
    }
    json.endObject()
    json.endLine()
    try StandardOutput.write(json.bytes)
}
