/// A geometry as given: degrees and metres. Edges are straight in longitude and latitude (RFC 7946,
/// section 3.1.1).
package enum Geometry: Hashable, Sendable {
    case circle(center: Coordinate, radius: Double)
    /// Parts, each a list of rings: the first is the shell, the others are holes; rings are closed.
    case polygons([[[Coordinate]]])
    /// `width` is the full width, m.
    case corridor(line: [Coordinate], width: Double)
    /// Several lines of one full width, m, as one area.
    case lines([[Coordinate]], width: Double)

    /// The first position of what was given: the centre of a circle; nil where there is none.
    package var firstPosition: Coordinate? {
        switch self {
        case .circle(let center, _): center
        case .corridor(let line, _): line.first
        case .lines(let lines, _): lines.first?.first
        case .polygons(let parts): parts.first?.first?.first
        }
    }
}

/// Why a geometry was refused.
package struct AreaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Names the part, ring and position that is wrong, each counted from 1 in the input.
    package var description: String

    package init(description: String) { self.description = description }
}
