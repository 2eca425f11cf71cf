import Bytes
import Geodesy
import JSON

/// The geometries of a placemark while they are read. A problem is recorded.
struct KMLGeometry {
    private var points: [Coordinate] = []
    private var lines: [[Coordinate]] = []
    /// The outer ring of each polygon, then the inner ones.
    private var polygons: [[[Coordinate]]] = []
    private var inside: Inside?
    private var isInnerRing = false
    private var others: String?
    private var positions = 0
    private var flaw: String?

    /// What the next coordinates belong to.
    private enum Inside { case point, line, polygon }

    private static let budget = AreaBudget.geometry

    /// An element of the placemark begins.
    mutating func open(_ name: String) {
        switch name {
        case "Point": inside = .point
        case "LineString": inside = .line
        case "Polygon":
            inside = .polygon
            polygons.append([])
        case "outerBoundaryIs": isInnerRing = false
        case "innerBoundaryIs": isInnerRing = true
        case "LinearRing": if inside == nil { others = name }
        case "Model", "Track", "MultiTrack": others = name
        default: break
        }
    }

    mutating func close(_ name: String) {
        switch name {
        case "Point", "LineString", "Polygon": inside = nil
        default: break
        }
    }

    /// The text of a `coordinates` element: `longitude,latitude[,altitude]`, separated by white
    /// space.
    mutating func read(coordinates text: String) {
        guard let inside else { return }
        let line = positions(text)
        switch inside {
        case .point:
            if line.count == 1 {
                points += line
            } else {
                refuse("a Point of \(line.count) positions")
            }
        case .line: lines.append(line)
        case .polygon:
            guard isInnerRing == !(polygons.last?.isEmpty ?? true) else {
                return refuse("a Polygon whose outer ring is not the first, or not the only one")
            }
            polygons[polygons.count - 1].append(line)
        }
    }

    /// - Parameters: radius of a Point, width of a LineString, m, if given.
    func geometry(radius: Double?, width: Double?) throws(EntryFlaw) -> Geometry {
        if let flaw { throw EntryFlaw(reason: flaw) }
        switch (points.count, lines.count, polygons.count) {
        case (1, 0, 0):
            guard let radius else { throw EntryFlaw(reason: "a Point without radius") }
            return .circle(center: points[0], radius: radius)
        case (0, 1, 0):
            guard let width else { throw EntryFlaw(reason: "a LineString without width") }
            return .corridor(line: lines[0], width: width)
        case (0, 0, 1...): return .polygons(polygons)
        case (0, 0, 0):
            throw EntryFlaw(reason: others.map { "a \($0) is no fence" } ?? "no geometry")
        default:
            throw EntryFlaw(reason: "of several geometries only polygons can be one fence")
        }
    }

    private mutating func positions(_ text: String) -> [Coordinate] {
        var line: [Coordinate] = []
        for tuple in text.utf8.split(whereSeparator: { $0 <= 0x20 }) {
            positions += 1
            guard positions <= Self.budget.positions else {
                refuse("more than \(Self.budget.positions) positions")
                return []
            }
            let numbers = tuple.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard (2...3).contains(numbers.count), let longitude = number(numbers[0]),
                let latitude = number(numbers[1])
            else {
                refuse("\"\(excerpt(String(decoding: tuple, as: UTF8.self)))\" is no position")
                return []
            }
            line.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        if line.isEmpty { refuse("coordinates without a position") }
        return line
    }

    private func number(_ digits: Substring.UTF8View) -> Double? {
        try? String(Substring(digits)).read { bytes throws(EntryFlaw) in
            try TextValue.number("", bytes)
        }
    }

    /// The first flaw is reported.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}
