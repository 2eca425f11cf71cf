import BusClient
import Bytes
import Geodesy
import Geofence1
import JSON
import Model
import Time

extension Verb {
    static let show = Verb(
        "show", "ID", 1...1, summary: "one fence, and whether we are inside of it",
        details: """
            With --json a GeoJSON Feature, with the members presence, uncertain and since beside
            its own.
            """,
        run: runShow)
}

@MainActor
private func runShow(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    let id = invocation.operands[0]
    let known = try daemon.fence(id)
    let state = try daemon.states(of: [id])[id]
    if invocation.isJSON {
        var feature = known.json.dropLast()
        let presence = state?.presence.presence ?? .unknown
        feature += ",\"presence\":\"\(presence.name)\""
        if state?.presence.isUncertain == true { feature += ",\"uncertain\":true" }
        if let since = state?.since { feature += ",\"since\":\"\(since.iso8601)\"" }
        return try StandardOutput.write(feature + "}\n")
    }
    for (name, value) in facts(known, state) where !value.isEmpty {
        try StandardOutput.line("\(name.padded(to: 12))\(value.printable)")
    }
}

private func facts(
    _ known: CatalogueFence, _ state: (presence: ToldPresence, since: UTCTime?)?
) -> [(String, String)] {
    let fence = known.fence
    var facts = [("id", fence.id), ("title", fence.title), ("description", fence.description)]
    facts.append(("shape", known.shape))
    if case .circle(let center, _)? = fence.area?.geometry {
        facts.append(("centre", "\(center.latitude) \(center.longitude)"))
    }
    if let rule = fence.beacons {
        facts.append(("beacons", rule.pattern.text))
        facts.append(("sightings", "\(rule.sightings)"))
        facts.append(("min rssi", rule.leastRSSI.map { "\($0) dBm" } ?? ""))
        facts.append(("group", rule.group ?? ""))
    }
    if fence.dwell > .zero { facts.append(("dwell", fence.dwell.text)) }
    let silent = [
        fence.notifyOnEntry ? nil : "entry", fence.notifyOnExit ? nil : "exit",
    ].compactMap { $0 }
    facts += TermsText.facts(fence.terms)
    facts.append(("silent on", silent.joined(separator: ", ")))
    facts.append(("initial", fence.initialEnter ? "announced as enter" : ""))
    facts.append(("metadata", fence.metadata == "{}" ? "" : fence.metadata))
    switch known.origin {
    case .bus: break
    case .file(let name): facts.append(("file", name))
    case .named(let name): facts.append(("origin", name))
    }
    let since = state?.since.map { " since \($0.iso8601)" } ?? ""
    facts.append(("presence", (state?.presence.text ?? Presence.unknown.name) + since))
    return facts
}
