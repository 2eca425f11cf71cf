import BusClient
import Bytes
import Geofence1
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
        if invocation.isJSON { try write(id) }
    case ("clear", nil):
        let daemon = try DaemonClient(invocation)
        try daemon.setDriver(nil)
        if invocation.isJSON { try write(String?.none) }
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
    guard !invocation.isJSON else { return try write(driver) }
    guard let driver else { return try StandardOutput.line("no driver is set") }
    let since = driver.since.map { ", since \($0.iso8601)" } ?? ""
    let source = driver.source.flatMap { $0 == "call" ? nil : ", by a \($0.printable)" } ?? ""
    try StandardOutput.line(driver.id.printable + since + source)
}

/// `{"driver":…}` of whom was set.
@MainActor
private func write(_ id: String?) throws { try write([("driver", id)]) }

/// `{"driver":…,"since":…,"source":…}`; the others only where they are known.
@MainActor
private func write(_ driver: ToldDriver?) throws {
    var members: [(String, String?)] = [("driver", driver?.id)]
    if let since = driver?.since { members.append(("since", since.iso8601)) }
    if let source = driver?.source { members.append(("source", source)) }
    try write(members)
}

@MainActor
private func write(_ members: [(String, String?)]) throws {
    var json = JSONWriter()
    json.beginObject()
    for (key, text) in members {
        json.key(key)
        json.optional(text)
    }
    json.endObject()
    json.endLine()
    try StandardOutput.write(json.bytes)
}
