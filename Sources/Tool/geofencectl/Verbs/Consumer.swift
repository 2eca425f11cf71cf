import BusClient
import Geofence1
import JSON
import Program
import Time

extension Verb {
    static let consumer = Verb(
        "consumer", "list | remove NAME…", 1...1000,
        summary: "the programs that are brought every event",
        details: """
            list: each durable consumer with the number of the last event that it has dealt with,
            how many events of the log come after that, since when, when it last acknowledged,
            and why it could not be called. On a terminal a table; elsewhere fields separated by
            tabs.
            remove: it is brought nothing more, and its position is lost. None is removed where
            one of them is not there.
            """,
        completion: .nouns([.init("list"), .init("remove", then: .list(.consumers))]),
        run: runConsumer)
}

@MainActor
private func runConsumer(_ invocation: Invocation) throws {
    let names = invocation.operands.dropFirst()
    switch invocation.operands[0] {
    case "list":
        guard let name = names.first else { return try list(invocation) }
        throw Failure.unexpected(name)
    case "remove":
        guard !names.isEmpty else {
            throw Failure.missing(argument: "NAME…")
        }
        try remove(Array(names), invocation)
    case let other:
        throw Failure.usage("neither list nor remove", "consumer \(other)")
    }
}

@MainActor
private func list(_ invocation: Invocation) throws {
    let consumers = try DaemonClient(invocation).consumers()
    guard !invocation.isJSON else {
        for consumer in consumers {
            var json = JSONWriter()
            consumer.write(to: &json)
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
        return
    }
    var table = Table([
        .init(title: "NAME"), .init(title: "ACKED", isNumber: true),
        .init(title: "PENDING", isNumber: true), .init(title: "OLDEST"),
        .init(title: "LAST ACK"), .init(title: "ERROR"),
    ])
    for consumer in consumers {
        table.add(
            consumer.name, "\(consumer.acknowledged)", "\(consumer.pending)",
            consumer.oldestPending?.iso8601 ?? "–", consumer.lastAcknowledged?.iso8601 ?? "–",
            consumer.lastError ?? "–")
    }
    try table.print()
}

@MainActor
private func remove(_ names: [String], _ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    // For the daemon, removing an unknown consumer is not an error; for a user it is a typing
    // error.
    let present = Set(try daemon.consumers().map(\.name))
    for name in names where !present.contains(name) {
        throw Failure("there is no such consumer", name)
    }
    for name in Set(names).sorted() { try daemon.removeConsumer(name) }
}

extension ToldConsumer {
    /// `{"name":…,"acked":…,"pending":…,"oldest_pending":…,"last_ack":…,"last_error":…}`
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("name")
        json.string(name)
        Self.told.write(self, to: &json)
        json.endObject()
    }
}
