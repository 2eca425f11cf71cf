package import Geodesy
package import JSON
package import Model

// The approach of a fence from the members that `ApproachJSON` writes. Whether its numbers are in
// range and its legs a tree is checked with the fence, by `FenceRules`.
extension ApproachJSON {
    /// The approach, and the geometry of its area, from the geometry of the legs or of the point.
    /// - Parameter members: an object with ``keys``; others are ignored.
    package static func read(
        _ members: JSONValue, _ geometry: Geometry
    ) throws(ApproachFlaw) -> (approach: Approach, geometry: Geometry) {
        let limits = try limits(members["limits"])
        switch (members["approach"]?.string, geometry) {
        case ("cone", .circle(let center, _)):
            let direction = try number(members["direction_deg"], "direction_deg")
            return (
                Approach(limits: limits, course: .cone(direction: direction)),
                .circle(center: center, radius: Approach.coneRadius)
            )
        case ("cone", _): throw ApproachFlaw("a cone is a Point")
        case ("corridor", .lines(let lines, _)):
            let legs = try legs(members["legs"])
            guard legs.count == lines.count else {
                throw ApproachFlaw("\(legs.count) legs and \(lines.count) lines")
            }
            let approach = Approach(
                limits: limits, course: .legs(legs),
                rivals: try self.lines(members["rivals"], "rivals"))
            let area = lines + (try self.lines(members["section"], "section"))
            return (approach, .lines(area, width: 2 * Approach.reach))
        case ("corridor", _): throw ApproachFlaw("an approach is a MultiLineString")
        default: throw ApproachFlaw("approach is neither \"corridor\" nor \"cone\"")
        }
    }

    private static func limits(_ json: JSONValue?) throws(ApproachFlaw) -> Limits {
        guard let json, json.object != nil else { throw ApproachFlaw("no limits") }
        var numbers: [Limits.Kind: Double] = [:]
        for kind in Limits.Kind.allCases {
            numbers[kind] = try number(json[kind.vehicleKey], kind.vehicleKey)
        }
        let basisName = try text(json["basis"], "basis")
        guard let basis = Limits.Basis.allCases.first(where: { $0.name == basisName }) else {
            throw ApproachFlaw("unknown basis \"\(excerpt(basisName))\"")
        }
        var unnumbered = Limits.Kind.height
        let kindName = try text(json["kind"], "kind")
        if !kindName.isEmpty {
            guard let kind = Limits.Kind.allCases.first(where: { $0.name == kindName }) else {
                throw ApproachFlaw("unknown kind \"\(excerpt(kindName))\"")
            }
            unnumbered = kind
        }
        return Limits(
            numbers, unnumbered: unnumbered, sign: try text(json["sign"], "sign"), basis: basis,
            date: try text(json["date"], "date"), source: try text(json["source"], "source"),
            condition: try text(json["condition"], "condition"),
            isDoubtful: json["doubtful"]?.bool ?? false)
    }

    private static func legs(_ json: JSONValue?) throws(ApproachFlaw) -> [Approach.Leg] {
        guard let elements = json?.array else { throw ApproachFlaw("no legs") }
        guard elements.count <= Approach.mostLegs else {
            throw ApproachFlaw("more than \(Approach.mostLegs) legs")
        }
        var legs: [Approach.Leg] = []
        legs.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(ApproachFlaw) {
                legs.append(try leg(element))
            } catch {
                throw ApproachFlaw("leg \(index + 1): \(error)")
            }
        }
        return legs
    }

    private static func leg(_ json: JSONValue) throws(ApproachFlaw) -> Approach.Leg {
        guard let end = try number(json["end_m"], "end_m") else { throw ApproachFlaw("no end_m") }
        guard let chance = try number(json["chance"], "chance") else {
            throw ApproachFlaw("no chance")
        }
        guard let next = json["next"] else { throw ApproachFlaw("no next") }
        var index: Int?
        if next != .null {
            guard let whole = next.integer, whole >= 0, whole < Approach.mostLegs else {
                throw ApproachFlaw("next is no leg")
            }
            index = Int(whole)
        }
        var turn: Approach.Turn?
        if let given = json["turn"], given != .null {
            guard given.array?.count == 2, let toGo = given[0]?.double,
                let angle = given[1]?.double
            else { throw ApproachFlaw("turn is no pair of numbers") }
            turn = Approach.Turn(toGo: toGo, angle: angle)
        }
        var escape: Approach.Escape?
        if let given = json["escape"], given != .null {
            guard given.object != nil else { throw ApproachFlaw("escape is no object") }
            let name = try text(given["side"], "side")
            escape = Approach.Escape(
                road: try text(given["road"], "road"),
                side: Approach.Escape.Side.allCases.first { $0.name == name })
        }
        return Approach.Leg(
            endToGo: end, chance: chance, next: index,
            escapeToGo: try number(json["escape_m"], "escape_m"), turn: turn,
            isCut: json["cut"]?.bool ?? false, road: try text(json["road"], "road"),
            escape: escape)
    }

    /// An array of lines; empty where there is none.
    private static func lines(
        _ json: JSONValue?, _ name: String
    ) throws(ApproachFlaw) -> [[Coordinate]] {
        guard let json, json != .null else { return [] }
        guard let elements = json.array else { throw ApproachFlaw("\(name) is no array of lines") }
        var lines: [[Coordinate]] = []
        for element in elements {
            var line: [Coordinate] = []
            for position in element.array ?? [] {
                guard let longitude = position[0]?.double, let latitude = position[1]?.double else {
                    throw ApproachFlaw("\(name), line \(lines.count + 1): no position")
                }
                line.append(Coordinate(latitude: latitude, longitude: longitude))
            }
            lines.append(line)
        }
        return lines
    }

    private static func number(
        _ json: JSONValue?, _ name: String
    ) throws(ApproachFlaw) -> Double? {
        guard let json, json != .null else { return nil }
        // A number in a string is refused: "13" might be in feet.
        guard let number = json.double else { throw ApproachFlaw("\(name) is no number") }
        return number
    }

    private static func text(_ json: JSONValue?, _ name: String) throws(ApproachFlaw) -> String {
        guard let json, json != .null else { return "" }
        guard let text = json.string else { throw ApproachFlaw("\(name) is no string") }
        return text
    }
}
