import Geodesy
import JSON
import Law
import Model

/// A fence as the page draws it: less than a GeoJSON Feature says, and in fewer bytes.
enum DriveFence {
    /// Positions of one line of a fence that the page gets at most; a line of more is thinned.
    private static let mostPositions = 2_000

    /// `{"id":…,"title":…,"circle":[latitude,longitude,radius]}`, or `polygons`, or `lines` with
    /// `width`; of a hazard also `hazard`.
    /// - Parameter rules: for the comparison with hazards; nil if the vehicle is not known.
    static func write(_ fence: Fence, _ rules: ApproachRules?, to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.string(fence.id)
        if !fence.title.isEmpty {
            json.key("title")
            json.string(fence.title)
        }
        if let approach = fence.approach { write(approach, rules, to: &json) }
        switch fence.area?.geometry {
        // Beacons have no place on a map.
        case nil: break
        case .circle(let center, let radius):
            json.key("circle")
            json.beginArray()
            json.number(center.latitude, decimals: 6)
            json.number(center.longitude, decimals: 6)
            json.number(radius, decimals: 1)
            json.endArray()
        case .polygons(let parts):
            json.key("polygons")
            json.beginArray()
            for rings in parts { write(rings, to: &json) }
            json.endArray()
        case .corridor(let line, let width):
            json.key("lines")
            write([line], to: &json)
            json.key("width")
            json.number(width)
        case .lines(let lines, let width):
            json.key("lines")
            write(lines, to: &json)
            json.key("width")
            json.number(width)
        }
        json.endObject()
    }

    /// The limit, whether the vehicle fits, and for each leg the metres to go at its end and at the
    /// last way out, and its successor.
    private static func write(
        _ approach: Approach, _ rules: ApproachRules?, to json: inout JSONWriter
    ) {
        let limits = approach.limits
        json.key("hazard")
        json.beginObject()
        let kind = limits.kinds.first ?? limits.unnumbered
        json.key("limit")
        json.string(kind.name)
        if let value = limits[kind] {
            json.key("value")
            json.number(value)
            json.key("unit")
            json.string(kind.unit)
        }
        if !limits.sign.isEmpty {
            json.key("sign")
            json.string(limits.sign)
        }
        if let rules {
            json.key("fit")
            let assumed = rules.settings.assumedHeight
            json.string(rules.vehicle.fit(limits, assumedHeight: assumed).name)
        }
        json.key("legs")
        json.beginArray()
        for leg in approach.legs {
            json.beginArray()
            json.number(leg.endToGo, decimals: 0)
            if let escape = leg.escapeToGo { json.number(escape, decimals: 0) } else { json.null() }
            if let next = leg.next { json.integer(next) } else { json.null() }
            json.endArray()
        }
        json.endArray()
        json.endObject()
    }

    /// Each line as one array of numbers: longitude and latitude in millionths of a degree, the
    /// first position, then differences.
    private static func write(_ lines: [[Coordinate]], to json: inout JSONWriter) {
        json.beginArray()
        for line in lines {
            json.beginArray()
            var last: (Int64, Int64) = (0, 0)
            for position in thinned(line) {
                let place = (
                    Int64((position.longitude * 1e6).rounded()),
                    Int64((position.latitude * 1e6).rounded())
                )
                json.integer(place.0 - last.0)
                json.integer(place.1 - last.1)
                last = place
            }
            json.endArray()
        }
        json.endArray()
    }

    /// Without the positions that a picture can do without; its ends stay.
    private static func thinned(_ line: [Coordinate]) -> [Coordinate] {
        guard line.count > mostPositions, let first = line.first, let last = line.last else {
            return line
        }
        func step(_ a: Coordinate, _ b: Coordinate) -> Double {
            (a.latitude - b.latitude).magnitude + (a.longitude - b.longitude).magnitude
        }
        let way = zip(line, line.dropFirst()).reduce(0) { $0 + step($1.0, $1.1) }
        let least = way / Double(mostPositions)
        var kept = [first]
        for position in line.dropFirst().dropLast()
        where step(kept[kept.count - 1], position) >= least {
            kept.append(position)
        }
        return kept + [last]
    }
}
