import BusClient
import Bytes
import FenceFiles
import Files
import Formats
import Geodesy
import Geofence1
import JSON
import Law
import Model
import Program
import Time

extension Verb {
    static let route = Verb(
        "route", "set FILE | show | clear", 1...2,
        summary: "the line that will be driven, and the hazards on it",
        details: """
            set: the one route or track of a GPX file, or the one LineString of GeoJSON, - is standard
            input. It ends where it ends, when the vehicle has left it, after some hours, and at the next
            start of the machine unless --keep. set and show list the hazards on it that the vehicle
            does not fit.
            """,
        options: [
            OptionRule("name", value: "TEXT", "what it is called; otherwise it has no name"),
            OptionRule("keep", "go on with it after the next start of the machine"),
        ],
        completion: .nouns([.init("show"), .init("set", then: .files), .init("clear")]),
        run: runRoute)
}

@MainActor
private func runRoute(_ invocation: Invocation) throws {
    let operands = invocation.operands
    if operands[0] != "set",
        let option = ["name", "keep"].first(where: {
            invocation.value($0) != nil || invocation.has($0)
        })
    {
        throw Failure.notAnOption("--\(option)", of: "route \(operands[0])")
    }
    switch (operands[0], operands.dropFirst().first) {
    case ("set", let file?):
        let positions = try positions(of: file)
        let daemon = try DaemonClient(invocation)
        let route = try daemon.setRoute(
            positions, name: invocation.value("name") ?? "", keep: invocation.has("keep"))
        if let note = straightNote(positions) {
            StandardError.line("geofencectl: \(note): \(file)")
        }
        try show(route, invocation)
    case ("show", nil):
        try show(try DaemonClient(invocation).route(), invocation)
    case ("clear", nil):
        try DaemonClient(invocation).clearRoute()
    case ("set", nil): throw Failure.usage("the file of a route is missing", "route set")
    case ("show", _), ("clear", _):
        throw Failure.usage("takes no file", "route \(operands[0])")
    default: throw Failure.usage("neither set, show nor clear", "route \(operands[0])")
    }
}

private func positions(of path: String) throws(Failure) -> [Coordinate] {
    let file = try Failure.at(path) { () throws(Errno) in try OpenFile(operand: path) }
    let bytes: [UInt8]
    do throws(UnreadableFile) { bytes = try file.contents(limit: RouteFile.mostBytes) } catch {
        throw Failure(error.description, path)
    }
    do throws(RouteFileProblem) {
        return try RouteFile.positions(of: bytes, most: Route.mostPositions)
    } catch {
        throw Failure(error.reason, error.line.map { "\(path):\($0)" } ?? path)
    }
}

/// Most of it is no way: many programs write the places of a route, and not the way between them.
private func straightNote(_ positions: [Coordinate]) -> String? {
    let line = DirectedLine(positions)
    let straight = zip(line.along, line.along.dropFirst()).map { $1 - $0 }.filter { $0 > 2_000 }
        .reduce(0, +)
    guard straight > line.length / 2 else { return nil }
    return
        "most of it are straight lines of more than 2 km: the file seems to have the places of the "
        + "route and not the way, along which alone hazards are found"
}

@MainActor
private func show(_ route: ToldRoute?, _ invocation: Invocation) throws {
    guard let route else { throw Failure("this geofenced knows no route") }
    guard !invocation.isJSON else {
        var json = JSONWriter()
        route.write(to: &json)
        json.endLine()
        return try StandardOutput.write(json.bytes)
    }
    guard let setAt = route.setAt, let until = route.until else {
        let ended = route.state == "none" ? "" : "; the last one: \(route.state)"
        return try StandardOutput.line("no route" + ended.printable)
    }
    let name = route.name.isEmpty ? "route" : route.name.printable
    let keep = route.isKept ? ", kept over a start of the machine" : ""
    try StandardOutput.line(
        "\(name): \(LengthText.of(metres: route.length)), set \(setAt.iso8601), "
            + "until \(until.iso8601) at the latest\(keep)")
    if !route.hazards.isEmpty { try table(route.hazards).print() }
    try StandardOutput.line(summary(route))
}

/// Never that there is no hazard: what the data do not have is not known.
private func summary(_ route: ToldRoute) -> String {
    guard route.hazardsAreKnown else {
        return "no hazards are loaded: whether there are low bridges on it is not known"
    }
    var text =
        route.hazards.isEmpty
        ? "of the hazards that are known none on it stops this vehicle"
        : "\(counted(route.hazards.count, "hazard")) on it"
    text += ", \(route.fitting) more that it fits"
    if !route.isComplete { text += "; there were too many to tell all of them" }
    return text + "; what the data do not have is not known"
}

private func table(_ hazards: [RouteHazard]) -> Table {
    var table = Table([
        .init(title: "AT", isNumber: true), .init(title: "LIMIT"), .init(title: "VEHICLE"),
        .init(title: "ROAD"), .init(title: "HAZARD"),
    ])
    for hazard in hazards {
        let details = hazard.details
        let vehicle = details.map {
            ApproachDetails.value($0.vehicle, $0.kind, $0.units, up: true)
        }
        table.add([
            (LengthText.of(metres: hazard.along), nil),
            (details.map { "\($0.kind.name) \(AheadTable.limit($0))" } ?? "not known", .red),
            (vehicle ?? "not known", nil),
            (details?.road ?? "", nil),
            (hazard.title.isEmpty ? hazard.hazard : hazard.title, nil),
        ])
    }
    return table
}
