import Geodesy
import Law
import Model
import Storage
import Time

/// Looks at the fences along a route, piece by piece: those of each square that it touches, each
/// once.
@MainActor
final class RouteHazardSearch {
    /// A hazard at which looking at them took more than ``Route/mostSteps``; nil if it did not.
    private(set) var beyond: String?
    private let route: Route
    private let store: Store
    private let rules: ApproachRules
    private let time: UTCTime
    private var found = RouteHazards()
    private var known: Set<FenceKey> = []
    private var squares = SquareSet()
    /// The next position, and then the next square.
    private var (position, square) = (0, 0)
    /// Fences of the square before it that are still to be looked at.
    private var waiting: [CatalogueEntry] = []
    private var steps = Route.mostSteps

    /// Fences of one square that are looked at.
    private static let mostFences = 1_024
    /// Squares that are looked at: 30 000 km of road at least.
    private static let mostSquares = 16_384

    init(
        _ route: Route, _ store: Store, _ rules: ApproachRules, time: UTCTime,
        mayKnow: Bool
    ) {
        self.route = route
        self.store = store
        self.rules = rules
        self.time = time
        found.areKnown = mayKnow
    }

    func step(until isTimeUp: () -> Bool) throws -> RouteHazards? {
        while position < route.line.positions.count {
            addSquares(at: position)
            position += 1
            if position % 256 == 0, isTimeUp() { return nil }
        }
        while beyond == nil {
            if let entry = waiting.popLast() {
                look(at: entry)
            } else if square < squares.all.count {
                waiting = try store.entries(
                    meeting: squares.all[square].box, limit: Self.mostFences
                ) { $0.approach != nil }
                if waiting.count == Self.mostFences { found.isComplete = false }
                square += 1
            } else {
                break
            }
            if isTimeUp() { return nil }
        }
        trim()
        return found
    }

    private func addSquares(at position: Int) {
        guard squares.all.count < Self.mostSquares else {
            found.isComplete = false
            return
        }
        let line = route.line
        let end = position + 1
        let isKnown =
            end < line.positions.count
            && line.along[end] - line.along[position] <= DirectedLine.longestEdge
        squares.add(line.positions[position], line.positions[isKnown ? end : position])
    }

    private func look(at entry: CatalogueEntry) {
        guard let approach = entry.approach, known.insert(FenceKey(entry.id)).inserted else {
            return
        }
        found.areKnown = true
        let metres = route.inHand(entry.id) {
            route.metres(to: approach, entry.area.geometry, steps: &steps)
        }
        guard let metres else {
            found.isComplete = false
            beyond = entry.id
            return
        }
        // Of a hazard no more than of all.
        let hazards = rules.hazards(at: metres.prefix(RouteHazards.most + 1), entry, time: time)
        guard let first = hazards.first else { return }
        if first.fit == .fits {
            found.fitting += metres.count
        } else {
            found.hazards += hazards
            if found.hazards.count > 4 * RouteHazards.most { trim() }
        }
    }

    /// Puts them in order, and keeps the first of them.
    private func trim() {
        found.hazards.sort {
            $0.along != $1.along
                ? $0.along < $1.along
                : $0.hazard.utf8.lexicographicallyPrecedes($1.hazard.utf8)
        }
        if found.hazards.count > RouteHazards.most {
            found.hazards.removeLast(found.hazards.count - RouteHazards.most)
            found.isComplete = false
        }
    }
}
