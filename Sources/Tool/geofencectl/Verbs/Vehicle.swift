import BusClient
import Geofence1
import JSON
import Model
import Program
import Time

extension Verb {
    static let vehicle = Verb(
        "vehicle", "show | set | confirm", 1...1,
        summary: "the height, width and weight that hazards are judged with",
        details: """
            show: what is in force, who set it and when, and whether its height was confirmed.
            set: sets what is given and confirms the height; the rest stays as it is, or becomes
            that of the profile. confirm: the height is right, perhaps after setting it. Lengths
            are written 4.2m or 13'10", weights 40t or 7500kg.
            """,
        options: [
            OptionRule("height", value: "LENGTH", "as it travels, load and trailer included"),
            OptionRule("width", value: "M", "mirrors included"),
            OptionRule("length", value: "LENGTH", "of the whole combination"),
            OptionRule("weight", value: "WEIGHT", "of the whole combination"),
            OptionRule("axle-load", value: "WEIGHT", "of the heaviest axle"),
            OptionRule(
                "profile", value: "NAME",
                "begin with this profile of geofenced.conf; an empty one is none"),
            OptionRule(
                "unconfirmed", "a program says so: the driver still has to confirm the height"),
        ],
        completion: .nouns([.init("show"), .init("set"), .init("confirm")]),
        run: runVehicle)
}

@MainActor
private func runVehicle(_ invocation: Invocation) throws {
    let operand = invocation.operands[0]
    let values = try vehicleValues(invocation)
    let profile = invocation.value("profile")
    let isUnconfirmed = invocation.has("unconfirmed")
    let daemon = try DaemonClient(invocation)
    let before = try DaemonStatus(properties: daemon.properties())[.vehicle]
    // The daemon does not take that for confirmed.
    let doubt = values[.height].flatMap {
        Vehicle.doubt(height: $0, after: before?.statedHeight ?? before?.vehicle.height)
    }
    switch operand {
    case "show":
        guard values.isEmpty, profile == nil, !isUnconfirmed else {
            throw Failure.usage("nothing can be set with", "vehicle show")
        }
        return try show(daemon, invocation)
    case "set":
        guard !values.isEmpty || profile != nil else {
            throw Failure.missing(option: "--height LENGTH, …")
        }
        // Where no height is known, as for a width alone, there is none to confirm.
        let mayConfirm = !isUnconfirmed && (values[.height] != nil || profile != nil)
        try daemon.setVehicle(profile: profile, values, confirms: mayConfirm)
    case "confirm":
        guard !isUnconfirmed else {
            throw Failure.notAnOption("--unconfirmed", of: "vehicle confirm")
        }
        try daemon.setVehicle(profile: profile, values, confirms: true)
    default: throw Failure.usage("neither show nor set nor confirm", "vehicle \(operand)")
    }
    if let doubt { StandardError.warn("\(doubt): if it is right, geofencectl vehicle confirm") }
    try show(daemon, invocation)
}

private func vehicleValues(_ invocation: Invocation) throws -> [Limits.Kind: Double] {
    var values: [Limits.Kind: Double] = [:]
    for (option, kind) in [
        ("height", Limits.Kind.height), ("width", .width), ("length", .length),
        ("weight", .weight), ("axle-load", .axleLoad),
    ] {
        guard let text = invocation.value(option) else { continue }
        let isLength = kind.unit == "m"
        guard let value = isLength ? Measure.metres(text) : Measure.tonnes(text) else {
            let example = isLength ? "a length such as 4.2m or 13'10\"" : "a weight such as 40t"
            throw Failure.usage("not \(example)", "--\(option) \(text)")
        }
        if let flaw = Vehicle.flaw(value, of: kind) {
            throw Failure.usage(flaw, "--\(option) \(text)")
        }
        values[kind] = value
    }
    return values
}

@MainActor
private func show(_ daemon: DaemonClient, _ invocation: Invocation) throws {
    let status = DaemonStatus(properties: try daemon.properties())
    guard let vehicle = status.vehicle else {
        throw Failure("this geofenced knows no vehicle")
    }
    guard !invocation.isJSON else {
        var json = JSONWriter()
        VehicleState.told.writeObject(vehicle, to: &json)
        json.endLine()
        return try StandardOutput.write(json.bytes)
    }
    for (name, value) in vehicle.facts(.output, status) {
        try StandardOutput.line(name.padded(to: 10) + value)
    }
}
