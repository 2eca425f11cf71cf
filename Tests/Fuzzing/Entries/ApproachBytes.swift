import EngineTestKit
import Geodesy
import Model

/// Bytes as a hazard: a cone, or a tree that bends and branches, with rivals.
enum ApproachBytes {
    /// - Parameter place: where the restricted section begins.
    /// - Returns: nil for one that would be refused.
    static func fence(_ id: String, at place: Coordinate, _ reader: inout ByteReader) -> Fence? {
        let limits = limits(&reader)
        let heading = Double(reader.below(8)) * 45
        let form = reader.below(8)
        if form == 0 {
            return fence(
                id, .circle(center: place, radius: Approach.coneRadius),
                Approach(
                    limits: limits,
                    course: .cone(direction: reader.below(2) == 0 ? nil : heading)))
        }
        let (legs, lines) = tree(1 + form, to: place, heading, &reader)
        let section = [[place, place.moved(by: 20, toward: heading)]]
        let rivals = (0..<reader.below(4)).map { _ in
            beside(lines[reader.below(lines.count)], &reader)
        }
        return fence(
            id, .lines(lines + section, width: 2 * Approach.reach),
            Approach(limits: limits, course: .legs(legs), rivals: rivals))
    }

    private static func fence(_ id: String, _ geometry: Geometry, _ approach: Approach) -> Fence? {
        guard let area = try? Area(geometry),
            ApproachCheck(approach, of: area.geometry).flaw == nil
        else { return nil }
        return Fence(id: id, area: area, approach: approach)
    }

    private static func limits(_ reader: inout ByteReader) -> Limits {
        switch reader.below(4) {
        case 0: Limits([:], basis: .belowDefault)
        case 1: Limits([.height: 3.8, .weight: 7.5], basis: .measured)
        default: Limits([.height: 3.5 + Double(reader.below(4)) / 4], basis: .signed)
        }
    }

    /// Each leg leads to one of those before it; the first to the hazard.
    private static func tree(
        _ count: Int, to place: Coordinate, _ heading: Double, _ reader: inout ByteReader
    ) -> (legs: [Approach.Leg], lines: [[Coordinate]]) {
        var legs: [Approach.Leg] = []
        var lines: [[Coordinate]] = []
        var headings: [Double] = []
        var starts: [Double] = []
        for index in 0..<count {
            let next = index == 0 ? nil : reader.below(index)
            let end = next.map { lines[$0][0] } ?? place
            let toward = (next.map { headings[$0] } ?? heading) + Double(reader.below(3)) * 45
            let length = [20.0, 60, 200, 600][reader.below(4)]
            let line = [end.moved(by: length, toward: toward + 180), end]
            let toGo = next.map { starts[$0] } ?? 0
            let chance = (next.map { legs[$0].chance } ?? 1) * [1, 0.9, 0.2, 0.01][reader.below(4)]
            let escape: Double? =
                next.map { legs[$0].escapeToGo } ?? [nil, 0.0, 15][reader.below(3)]
            legs.append(
                Approach.Leg(
                    endToGo: toGo, chance: chance, next: next, escapeToGo: escape,
                    turn: reader.below(2) == 0 ? nil : Approach.Turn(toGo: toGo, angle: 85)))
            lines.append(line)
            headings.append(toward)
            starts.append(toGo + SurfacePoint(line[0]).distance(to: SurfacePoint(end)))
        }
        return (legs, lines)
    }

    private static func beside(_ line: [Coordinate], _ reader: inout ByteReader) -> [Coordinate] {
        let (away, toward) = (Double(reader.below(64)), Double(reader.below(8)) * 45)
        return line.map { $0.moved(by: away, toward: toward) }
    }
}
