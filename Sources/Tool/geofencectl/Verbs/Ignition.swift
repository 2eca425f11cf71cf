import BusClient
import JSON
import Program

extension Verb {
    static let ignition = Verb(
        "ignition", "on | off", 1...1, summary: "sets the state of the ignition",
        details: """
            off arms the alarm for a towed vehicle at the place where it stands; on disarms it.
            Programs in the vehicle call SetIgnition on the bus.
            """,
        completion: .words(["on", "off"]), run: runIgnition)
}

@MainActor
private func runIgnition(_ invocation: Invocation) throws {
    let isOn: Bool
    switch invocation.operands[0] {
    case "on": isOn = true
    case "off": isOn = false
    default: throw Failure.usage("neither on nor off", "ignition \(invocation.operands[0])")
    }
    let daemon = try DaemonClient(invocation)
    try daemon.setIgnition(isOn)
    guard invocation.isJSON else { return }
    var json = JSONWriter()
    json.beginObject()
    json.key("ignition")
    json.string(isOn ? "on" : "off")
    json.endObject()
    json.endLine()
    try StandardOutput.write(json.bytes)
}
