import Geodesy

/// The same as searches of the lines of an approach, for so many rivals that each could not search for
/// itself.
struct RivalForks {
    /// All positions of legs and section.
    let positions: Set<Coordinate>
    /// By the place at which it ends, the first rival that does.
    let rivals: [Coordinate: Int]
    /// m, of each rival.
    let lengths: [Double]

    /// Fewer rivals search for themselves.
    static let least = 8

    init(_ lines: [[Coordinate]], _ rivals: [[Coordinate]], _ matcher: RoadMatcher) {
        positions = Set(lines.joined())
        self.rivals = Dictionary(
            rivals.indices.compactMap { index in rivals[index].last.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        lengths = rivals.map(matcher.length)
    }
}
