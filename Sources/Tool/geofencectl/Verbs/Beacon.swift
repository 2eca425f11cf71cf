import BusClient
import Bytes
import Geofence1
import JSON
import Model
import Program
import Systemd
import Time

extension Verb {
    static let beacon = Verb(
        "beacon", "list | here | gone | auto | range | status", 1...65,
        summary: "beacon fences, and the beacons that are near",
        details: """
            list: each beacon fence: inside or not, since when, last heard.
            here ID, gone ID: states that the vehicle is inside, or is not, whatever is
            heard; ID may also be the text on the sign, the property code. It holds for
            12 hours, or for the time of --for. auto ID: withdraws the statement.
            range [BEACON…]: the beacons that are near, at most once a second, until
            interrupted; those of the fences, or those named UUID[/MAJOR[/MINOR]] or
            NAMESPACE[/INSTANCE].
            status: the state of the radio, and the companions that are with the vehicle.
            """,
        options: [
            OptionRule("for", value: "TIME", "how long the statement holds, such as 8h or 90min")
        ],
        completion: .nouns([
            .init("list"), .init("here", then: .list(.beacons)),
            .init("gone", then: .list(.beacons)), .init("auto", then: .list(.beacons)),
            .init("range"), .init("status"),
        ]),
        run: runBeacon)
}

@MainActor
private func runBeacon(_ invocation: Invocation) throws {
    let noun = invocation.operands[0]
    let rest = Array(invocation.operands.dropFirst())
    if invocation.has("for"), noun != "here", noun != "gone" {
        throw Failure.notAnOption("--for", of: "beacon \(noun)")
    }
    switch noun {
    case "list", "status":
        if let other = rest.first { throw Failure.unexpected(other) }
        try noun == "list" ? list(invocation) : status(invocation)
    case "here": try say(.inside, rest, invocation)
    case "gone": try say(.outside, rest, invocation)
    case "auto": try say(.unknown, rest, invocation)
    case "range": try range(rest, invocation)
    default:
        throw Failure.usage("neither list, here, gone, auto, range nor status", "beacon \(noun)")
    }
}

@MainActor
private func list(_ invocation: Invocation) throws {
    let beacons = try DaemonClient(invocation).beacons()
    guard !invocation.isJSON else { return try BeaconTable.json(beacons) }
    try BeaconTable.table(beacons).print()
}

@MainActor
private func status(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    let status = DaemonStatus(properties: try daemon.properties())
    let beacons = try daemon.beacons()
    if invocation.isJSON { return try BeaconTable.json(status, beacons) }
    for (name, value) in BeaconTable.facts(status, beacons) {
        try StandardOutput.line(name.padded(to: 12) + value)
    }
}

@MainActor
private func say(_ presence: Presence, _ operands: [String], _ invocation: Invocation) throws {
    guard let name = operands.first else { throw Failure.missing(argument: "ID") }
    if operands.count > 1 { throw Failure.unexpected(operands[1]) }
    var duration: TimeSpan?
    if let text = invocation.value("for") {
        guard let seconds = Measure.seconds(text), (1...31_536_000).contains(seconds) else {
            throw Failure.usage("not a time such as 8h or 90min, up to a year", "--for \(text)")
        }
        duration = .seconds(seconds)
    }
    let daemon = try DaemonClient(invocation)
    let id = try beacon(named: name, daemon)
    let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
    try daemon.statePresence(presence, at: id, until: duration.map { now + $0 })
}

/// The id of the fence with that id or code.
@MainActor
private func beacon(named name: String, _ daemon: DaemonClient) throws -> String {
    let beacons: [ToldBeacon]
    do throws(ClientError) { beacons = try daemon.beacons() } catch {
        // A caller that may set presence may lack the permission to read events.
        guard error.isDenied else { throw error }
        return name
    }
    if beacons.contains(where: { $0.id.isExactly(name) }) { return name }
    let found = beacons.filter { $0.code == name }
    guard let first = found.first else {
        throw Failure("no fence of beacons has this id or code", name)
    }
    guard found.count == 1 else {
        throw Failure(
            "the code of \(found.map { "\"\($0.id)\"" }.joined(separator: ", "))", name)
    }
    return first.id
}

@MainActor
private func range(_ operands: [String], _ invocation: Invocation) throws {
    let loop = try EventLoop()
    let daemon = try DaemonClient(invocation, loop: loop)
    var patterns = try operands.map { text in
        guard let pattern = BeaconPattern(text) else {
            throw Failure.usage(
                "neither UUID[/MAJOR[/MINOR]] nor NAMESPACE[/INSTANCE]", text)
        }
        return pattern
    }
    if patterns.isEmpty {
        // Only the first ones: a session is limited to this number.
        patterns = Array(Set(try daemon.beacons().compactMap(\.pattern?.owner)).prefix(64))
        guard !patterns.isEmpty else { throw Failure("there is no fence of beacons", "range") }
    }
    let isJSON = invocation.isJSON
    var failure: (any Error)?
    let print = { (body: () throws -> Void) in
        do {
            try body()
            try StandardOutput.flush()
        } catch { failure = error }
    }
    let session = try daemon.range(patterns) { beacons in
        print { try BeaconTable.ranged(beacons, isJSON: isJSON) }
    } changed: { state, reason in
        print { try BeaconTable.state(state, reason, isJSON: isJSON) }
    }
    let (state, reason) = try session.state()
    try BeaconTable.state(state, reason, isJSON: isJSON)
    try StandardOutput.flush()
    while daemon.connection.isOpen, failure == nil {
        try loop.runOnce(timeout: .seconds(3600))
    }
    withExtendedLifetime(session) {}
    throw failure ?? Failure("the bus has closed the connection", daemon.busName)
}
