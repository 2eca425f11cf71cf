package import Geodesy
package import JSON

/// A geometry (RFC 7946, section 3.1) that is being read, from a text or from a value, with its
/// members in any order. The first error is kept and the rest is skipped; only malformed JSON
/// throws.
package struct GeometryReader {
    /// Limit of one geometry.
    private static let budget = AreaBudget.geometry

    private var type: Kind?
    private var coordinates: Nest?
    private var flaw: String?
    private var positions = 0

    private enum Kind {
        case point, line, lines, polygon, polygons
        case other(String)

        var name: String {
            switch self {
            case .point: "Point"
            case .line: "LineString"
            case .lines: "MultiLineString"
            case .polygon: "Polygon"
            case .polygons: "MultiPolygon"
            case .other(let name): excerpt(name)
            }
        }
    }

    /// Nested arrays, down to positions.
    private enum Nest {
        case empty
        case position(Coordinate)
        case line([Coordinate])
        case rings([[Coordinate]])
        case parts([[[Coordinate]]])
    }

    /// The nested arrays, collected by depth, so that none has to be copied when it grows.
    private struct Levels {
        var line: [Coordinate] = []
        var rings: [[Coordinate]] = []
        var parts: [[[Coordinate]]] = []
    }

    package init() {}

    /// Reads a whole geometry.
    /// - Throws: ``JSONError``, and the errors of the reader's source.
    package mutating func read(_ reader: inout JSONReader) throws {
        guard try reader.peek() == .beginObject else {
            refuse("\(try reader.peek()?.name ?? "nothing") where a geometry was expected")
            return try reader.skipValue()
        }
        _ = try reader.next()
        while try reader.next() == .key {
            if reader.isAt("coordinates") {
                coordinates = try nest(&reader)
            } else if reader.isAt("type"), try reader.peek() == .string {
                _ = try reader.next()
                type = kind(reader)
            } else if ReferenceSystem.isNamed(by: reader.text) {
                if let flaw = ReferenceSystem.flaw(try reader.readValue()) { refuse(flaw) }
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
        if reader.isAt("MultiLineString") { return .lines }
        return .other(reader.text)
    }

    /// The length it needs besides its positions: the radius of a Point, the full width of a
    /// LineString or of each line of a MultiLineString.
    package var lengthName: StaticString? {
        switch type {
        case .point?: "radius"
        case .line?, .lines?: "width"
        case .polygon?, .polygons?, .other?, nil: nil
        }
    }

    /// The geometry that was read.
    /// - Parameter length: the length that ``lengthName`` names, m.
    package func geometry(length: Double?) throws(GeometryFlaw) -> Geometry {
        guard let type else { throw GeometryFlaw(flaw ?? "a geometry without type") }
        if case .other(let name) = type { throw GeometryFlaw("a \(excerpt(name)) is no fence") }
        if let flaw { throw GeometryFlaw(flaw) }
        guard let coordinates else { throw GeometryFlaw("a \(type.name) without coordinates") }
        if let lengthName, length == nil {
            throw GeometryFlaw("a \(type.name) without \(lengthName)")
        }
        let length = length ?? .nan
        switch (type, coordinates) {
        case (.point, .position(let center)):
            return .circle(center: center, radius: length)
        case (.line, .line(let line)):
            return .corridor(line: line, width: length)
        case (.lines, .rings(let lines)):
            return .lines(lines, width: length)
        case (.polygon, .rings(let rings)):
            return .polygons([rings])
        case (.polygons, .parts(let parts)):
            return .polygons(parts)
        case (_, .empty):
            throw GeometryFlaw("a \(type.name) of no positions")
        default:
            throw GeometryFlaw("the coordinates are not those of a \(type.name)")
        }
    }

    /// Reads any array; nil, with the flaw kept, where it cannot be coordinates.
    private mutating func nest(_ reader: inout JSONReader) throws -> Nest? {
        guard try reader.peek() == .beginArray else {
            refuse("\(try reader.peek()?.name ?? "nothing") among the coordinates")
            try reader.skipValue()
            return nil
        }
        _ = try reader.next()
        if try reader.peek() == .number { return try position(&reader) }
        var levels = Levels()
        while try reader.peek() != .endArray { add(try nest(&reader), to: &levels) }
        _ = try reader.next()
        return nest(of: levels)
    }

    private mutating func add(_ inner: Nest?, to levels: inout Levels) {
        switch inner {
        case .position(let position)?: if flaw == nil { levels.line.append(position) }
        // A refused array is skipped and not kept.
        case .line(let inner)?: if flaw == nil { levels.rings.append(inner) }
        case .rings(let inner)?: if flaw == nil { levels.parts.append(inner) }
        case .empty?: refuse("an empty array among the coordinates")
        case .parts?: refuse("coordinates too deep")
        case nil: break
        }
    }

    private mutating func nest(of levels: Levels) -> Nest? {
        switch (levels.line.isEmpty, levels.rings.isEmpty, levels.parts.isEmpty) {
        case (true, true, true): return .empty
        case (false, true, true): return .line(levels.line)
        case (true, false, true): return .rings(levels.rings)
        case (true, true, false): return .parts(levels.parts)
        default:
            refuse("coordinates of different depth")
            return nil
        }
    }

    /// Skips the rest of a position: altitude, and what else may follow.
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
            // Beyond the range of a double: not a longitude either.
            let value = (try? reader.double()) ?? .infinity
            if count == 0 { numbers.0 = value }
            if count == 1 { numbers.1 = value }
            count += 1
        }
        _ = try reader.next()
        return position(numbers, count)
    }

    /// - Parameters:
    ///   - numbers: the first two.
    ///   - count: of its elements.
    private mutating func position(_ numbers: (Double, Double), _ count: Int) -> Nest? {
        guard count >= 2 else {
            refuse("a position of one number")
            return nil
        }
        positions += 1
        guard positions <= Self.budget.positions else {
            refuse("more than \(Self.budget.positions) positions")
            return nil
        }
        return .position(Coordinate(latitude: numbers.1, longitude: numbers.0))
    }

    /// Keeps the first flaw, which is the one to report.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}

// The same for a value, whose text has already been parsed.
extension GeometryReader {
    /// Reads a whole geometry.
    package mutating func take(_ value: JSONValue) {
        guard case .object(let members) = value else {
            return refuse("\(value.firstToken.name) where a geometry was expected")
        }
        for member in members {
            switch (member.key, member.value) {
            case ("coordinates", let value): coordinates = nest(value)
            case ("type", .string(let text)): type = Self.kind(text)
            case (let key, let value) where ReferenceSystem.isNamed(by: key):
                if let flaw = ReferenceSystem.flaw(value) { refuse(flaw) }
            default: break
            }
        }
    }

    private static func kind(_ text: String) -> Kind {
        switch text {
        case "Point": .point
        case "Polygon": .polygon
        case "MultiPolygon": .polygons
        case "LineString": .line
        case "MultiLineString": .lines
        default: .other(text)
        }
    }

    private mutating func nest(_ value: JSONValue) -> Nest? {
        guard case .array(let elements) = value else {
            refuse("\(value.firstToken.name) among the coordinates")
            return nil
        }
        if case .number? = elements.first { return position(elements) }
        var levels = Levels()
        for element in elements { add(nest(element), to: &levels) }
        return nest(of: levels)
    }

    private mutating func position(_ elements: [JSONValue]) -> Nest? {
        for element in elements where element.double == nil {
            refuse("\(element.firstToken.name) in a position")
        }
        return position(
            (elements[0].double ?? 0, elements.count > 1 ? elements[1].double ?? 0 : 0),
            elements.count)
    }
}

/// Why a geometry cannot be a fence.
package struct GeometryFlaw: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
