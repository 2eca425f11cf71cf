import BusClient
import Geofence1
import JSON
import Model

extension Verb {
    static let window = Verb(
        "window", summary: "the regions monitored now",
        details: """
            Rank, signed distance of the last fix (negative inside), presence and id; without
            distances for callers that may not read the location. A question mark after a
            presence: it is from before the position was lost. Below them the hazards that the
            vehicle is coming to and does not fit: limit, distance, time, last way out.
            """,
        run: runWindow)
}

@MainActor
private func runWindow(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    let regions = try daemon.window()
    let ahead = DaemonStatus(properties: try daemon.properties())[.ahead]
    guard !invocation.isJSON else {
        for (index, region) in regions.enumerated() {
            var json = JSONWriter()
            region.write(rank: index + 1, to: &json)
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
        for hazard in ahead {
            var json = JSONWriter()
            hazard.write(to: &json)
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
        return
    }
    try WindowTable.table(regions).print()
    guard !ahead.isEmpty else { return }
    try StandardOutput.line("")
    try AheadTable.table(ahead).print()
}
