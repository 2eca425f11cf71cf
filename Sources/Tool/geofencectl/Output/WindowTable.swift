import BusClient

/// The window as a table, for `window` and `watch`.
enum WindowTable {
    static func table(_ regions: [KnownRegion]) -> Table {
        var table = Table([
            .init(title: "#", isNumber: true), .init(title: "DISTANCE", isNumber: true),
            .init(title: "PRESENCE"), .init(title: "ID"),
        ])
        for (index, region) in regions.enumerated() {
            table.add([
                ("\(index + 1)", nil), (region.distance.map(length) ?? "–", nil),
                (region.presence.text, region.presence.colour), (region.id, nil),
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
