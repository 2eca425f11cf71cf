import Geodesy
import JSON

/// The geometry of a Feature while it is read, its members in any order.
struct GeoJSONGeometry {
    /// Positions of one entry: 16 MB of them are more than any border has.
    static let mostPositions = 1_000_000

    private var type: Kind?
    private var coordinates: Nest?
    private var flaw: String?
    private var positions = 0

    private enum Kind {
        case point, line, polygon, polygons
        case other(String)

        var name: String {
            switch self {
            case .point: "Point"
            case .line: "LineString"
            case .polygon: "Polygon"
            case .polygons: "MultiPolygon"
            case .other(let name): name
            }
        }
    }

    /// Arrays in arrays, down to positions.
    private enum Nest {
        case empty
        case position(Coordinate)
        case line([Coordinate])
        case rings([[Coordinate]])
        case parts([[[Coordinate]]])
    }

    /// Reads a whole geometry.
    mutating func read(_ reader: inout JSONReader) throws {
        _ = try reader.next()
        while try reader.next() == .key {
            if reader.isAt("coordinates") {
                coordinates = try nest(&reader)
            } else if reader.isAt("type"), try reader.peek() == .string {
                _ = try reader.next()
                type = kind(reader)
            } else {
                try reader.skipValue()
            }
        }
    }

    private func kind(_ reader: borrowing JSONReader) -> Kind {
        if reader.isAt("Point") { return .point }
        if reader.isAt("Polygon") { return .polygon }
        if reader.isAt("MultiPolygon") { return .polygons }
        if reader.isAt("LineString") { return .line }
        return .other(reader.text)
    }

    /// What it is, with what the properties say of it.
    func form(_ properties: inout GeoJSONProperties) throws(EntryFlaw) -> Geometry {
        guard let type else { throw EntryFlaw(reason: "a geometry without type") }
        if case .other(let name) = type { throw EntryFlaw(reason: "a \(name) is no fence") }
        if let flaw { throw EntryFlaw(reason: flaw) }
        guard let coordinates else {
            throw EntryFlaw(reason: "a \(type.name) without coordinates")
        }
        switch (type, coordinates) {
        case (.point, .position(let center)):
            let radius = try properties.takeLength("radius", for: type.name)
            return .circle(center: center, radius: radius)
        case (.line, .line(let line)):
            let width = try properties.takeLength("width", for: type.name)
            return .corridor(line: line, width: width)
        case (.polygon, .rings(let rings)):
            return .polygons([rings])
        case (.polygons, .parts(let parts)):
            return .polygons(parts)
        case (_, .empty):
            throw EntryFlaw(reason: "a \(type.name) of no positions")
        default:
            throw EntryFlaw(reason: "the coordinates are not those of a \(type.name)")
        }
    }

    /// Reads an array, whatever is in it; nil, with the flaw kept, where that is nothing of ours.
    private mutating func nest(_ reader: inout JSONReader) throws -> Nest? {
        guard try reader.peek() == .beginArray else {
            refuse("\(try reader.peek()?.name ?? "nothing") among the coordinates")
            try reader.skipValue()
            return nil
        }
        _ = try reader.next()
        if try reader.peek() == .number { return try position(&reader) }
        // Gathered by depth, so that no array is copied to be appended to.
        var line: [Coordinate] = []
        var rings: [[Coordinate]] = []
        var parts: [[[Coordinate]]] = []
        while try reader.peek() != .endArray {
            switch try nest(&reader) {
            case .position(let position)?: line.append(position)
            case .line(let inner)?: rings.append(inner)
            case .rings(let inner)?: parts.append(inner)
            case .empty?: refuse("an empty array among the coordinates")
            case .parts?: refuse("coordinates too deep")
            case nil: break
            }
        }
        _ = try reader.next()
        switch (line.isEmpty, rings.isEmpty, parts.isEmpty) {
        case (true, true, true): return .empty
        case (false, true, true): return .line(line)
        case (true, false, true): return .rings(rings)
        case (true, true, false): return .parts(parts)
        default:
            refuse("coordinates of different depth")
            return nil
        }
    }

    /// The rest of a position; altitude and what else follows is none of ours.
    private mutating func position(_ reader: inout JSONReader) throws -> Nest? {
        var numbers = (0.0, 0.0)
        var count = 0
        while try reader.peek() != .endArray {
            guard try reader.peek() == .number else {
                refuse("\(try reader.peek()?.name ?? "nothing") in a position")
                try reader.skipValue()
                count += 1
                continue
            }
            _ = try reader.next()
            // Beyond a double: no longitude either.
            let value = (try? reader.double()) ?? .infinity
            if count == 0 { numbers.0 = value }
            if count == 1 { numbers.1 = value }
            count += 1
        }
        _ = try reader.next()
        guard count >= 2 else {
            refuse("a position of one number")
            return nil
        }
        positions += 1
        guard positions <= Self.mostPositions else {
            refuse("more than \(Self.mostPositions) positions")
            return nil
        }
        return .position(Coordinate(latitude: numbers.1, longitude: numbers.0))
    }

    /// The first flaw is the one to tell.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}
