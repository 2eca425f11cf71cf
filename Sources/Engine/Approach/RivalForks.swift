import Geodesy

/// Indexes over the lines of an approach that has many rivals: with a linear search for each of them the
/// work of a fix would be quadratic.
struct RivalForks {
    /// All positions of legs and section.
    let positions: Set<Coordinate>
    /// By the place at which it ends, the first rival that does.
    let rivals: [Coordinate: Int]
    /// m, of each rival.
    let lengths: [Double]

    /// Up to so many rivals a linear search costs less than the indexes.
    static let least = 8

    init(_ lines: [[Coordinate]], _ rivals: [[Coordinate]], _ matcher: RoadMatcher) {
        positions = Set(lines.joined())
        self.rivals = Dictionary(
            rivals.indices.compactMap { index in rivals[index].last.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        lengths = rivals.map(matcher.length)
    }
}
