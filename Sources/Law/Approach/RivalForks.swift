import Geodesy

/// Where rivals part from lines of an approach.
struct RivalForks {
    private let lines: [[Coordinate]]
    private let rivals: [[Coordinate]]
    private let matcher: RoadMatcher
    private let index: Index?

    /// With a linear search for each of many rivals the work of a fix would be quadratic.
    private struct Index {
        /// All positions of the lines.
        let positions: Set<Coordinate>
        /// By the place at which it ends, the first rival that does.
        let rivals: [Coordinate: Int]
        /// m, of each rival.
        let lengths: [Double]
    }

    /// Up to so many rivals a linear search costs less than the index.
    private static let mostSearched = 8
    /// Between a match and the fork.
    private static let mostJunctions = 5

    /// - Parameter count: how many rivals will be asked for.
    init(
        _ lines: [[Coordinate]], _ rivals: [[Coordinate]], _ matcher: RoadMatcher, for count: Int
    ) {
        self.lines = lines
        self.rivals = rivals
        self.matcher = matcher
        guard count > Self.mostSearched else {
            index = nil
            return
        }
        index = Index(
            positions: Set(lines.joined()),
            rivals: Dictionary(
                rivals.indices.compactMap { index in rivals[index].last.map { ($0, index) } },
                uniquingKeysWith: { first, _ in first }),
            lengths: rivals.map(matcher.length))
    }

    /// Does the way along the rivals to this match begin at a position of the lines, and so many
    /// metres back?
    func hasParted(_ rival: ApproachJudgement.Rival, by least: Double) -> Bool {
        var way = matcher.travelled(rivals[rival.index], to: rival.match)
        var start = rivals[rival.index].first
        for _ in 0..<Self.mostJunctions {
            guard let place = start else { return false }
            if isOnLines(place) { return way >= least }
            guard let before = rivalEnding(at: place) else { return false }
            way += index?.lengths[before] ?? matcher.length(of: rivals[before])
            start = rivals[before].first
        }
        return false
    }

    private func isOnLines(_ place: Coordinate) -> Bool {
        index?.positions.contains(place) ?? lines.contains { $0.contains(place) }
    }

    /// The first one that does.
    private func rivalEnding(at place: Coordinate) -> Int? {
        guard let index else { return rivals.firstIndex { $0.last == place } }
        return index.rivals[place]
    }
}
