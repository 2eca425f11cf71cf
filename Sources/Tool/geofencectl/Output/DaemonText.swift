import BusClient
import Geodesy
import Geofence1
import JSON
import Model

extension CatalogueFence {
    /// `circle`, `polygon`, `corridor`, and its size; `beacons` or `companion`.
    var shape: String {
        switch fence.area?.geometry {
        case nil: fence.beacons?.isCompanion == true ? "companion" : "beacons"
        case .circle(_, let radius): "circle \(decimal(radius, 0)) m"
        case .polygons(let parts): parts.count == 1 ? "polygon" : "\(parts.count) polygons"
        case .corridor(_, let width): "corridor \(decimal(width, 0)) m"
        case .lines(let lines, let width): "\(lines.count) lines \(decimal(width, 0)) m"
        }
    }
}

extension ToldPresence {
    var text: String { presence.name + (isUncertain ? "?" : "") }

    var colour: Colour? {
        switch presence {
        case .inside: isUncertain ? .yellow : .green
        case .outside: nil
        case .unknown: .faint
        }
    }
}

extension ToldPosition {
    /// `48.177540 11.564070 ±12.0 m, 13.2 m/s, 181°`
    var text: String {
        var text =
            "\(decimal(coordinate.latitude, 6)) \(decimal(coordinate.longitude, 6))"
            + " ±\(EventLine.metres(error))"
        if let speed { text += ", \(decimal(speed, 1)) m/s" }
        if let course { text += ", \(decimal(course, 0))°" }
        return text
    }
}
