import BusClient
import Bytes
import Geofence1

/// The window as a table, for `window` and `watch`.
enum WindowTable {
    /// - Parameter titles: shown in place of the ids of those fences; nil: ids alone.
    static func table(_ regions: [ToldRegion], titles: [ExactText: String]? = nil) -> Table {
        var table = Table([
            .init(title: "#", isNumber: true), .init(title: "DISTANCE", isNumber: true),
            .init(title: "PRESENCE"), .init(title: titles == nil ? "ID" : "FENCE"),
        ])
        for (index, region) in regions.enumerated() {
            table.add([
                ("\(index + 1)", nil), (region.distance.map(length) ?? "–", nil),
                (region.presence.text, region.presence.colour),
                (titles?[region.id] ?? region.id, nil),
            ])
        }
        return table
    }

    /// Metres; kilometres from 10 km on.
    static func length(_ metres: Double) -> String {
        metres.magnitude < 10_000
            ? EventLine.metres(metres) : "\(decimal(metres / 1000, 1)) km"
    }
}
