/// Smallest first.
struct Heap {
    private var items: [(cost: Double, edge: Int32)] = []

    mutating func push(_ cost: Double, _ edge: Int) {
        items.append((cost, Int32(edge)))
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child].cost < items[parent].cost else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> (cost: Double, edge: Int)? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return (first.cost, Int(first.edge)) }
        items[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].cost < items[least].cost { least = child }
            guard least != parent else { break }
            items.swapAt(least, parent)
            parent = least
        }
        return (first.cost, Int(first.edge))
    }
}

/// Searches over edges, so that a vehicle never turns back on the spot.
struct Router {
    let roads: Roads
    private var cost: [Double]
    private var before: [Int32]
    /// Which search an entry is of.
    private var stamp: [Int32]
    private var search: Int32 = 0

    init(_ roads: Roads) {
        self.roads = roads
        cost = Array(repeating: 0, count: roads.edges.count)
        before = Array(repeating: -1, count: roads.edges.count)
        stamp = Array(repeating: 0, count: roads.edges.count)
    }

    /// The route of the shortest time, both edges included; nil where there is none.
    mutating func fastest(from start: Int, to end: Int) -> [Int]? {
        search += 1
        var heap = Heap()
        reach(start, 0, from: -1, &heap)
        while let (spent, edge) = heap.pop() {
            guard spent <= cost[edge] else { continue }
            if edge == end { return path(to: end) }
            for next in roads.onward(edge) {
                reach(next, spent + time(edge, next), from: edge, &heap)
            }
        }
        return nil
    }

    /// Whether some way of at most `metres` leads on from a place on an edge to one of the goals.
    mutating func reaches(
        _ goals: Set<Int>, from start: Int, offset: Double, within metres: Double
    ) -> Bool {
        search += 1
        var heap = Heap()
        reach(start, roads.edges[start].length - offset, from: -1, &heap)
        while let (spent, edge) = heap.pop() {
            guard spent <= cost[edge] else { continue }
            for next in roads.onward(edge) {
                if goals.contains(next) { return true }
                let total = spent + roads.edges[next].length
                if total <= metres { reach(next, total, from: edge, &heap) }
            }
        }
        return false
    }

    private mutating func reach(_ edge: Int, _ total: Double, from last: Int, _ heap: inout Heap) {
        guard stamp[edge] != search || total < cost[edge] else { return }
        stamp[edge] = search
        cost[edge] = total
        before[edge] = Int32(last)
        heap.push(total, edge)
    }

    /// Seconds from the end of one edge to the end of the next.
    private func time(_ edge: Int, _ next: Int) -> Double {
        let delay = roads.isJunction[roads.edges[next].from] ? roads.turn(edge, next) / 30 : 0
        return roads.edges[next].length / Speeds.usual(roads, next) + delay
    }

    private func path(to end: Int) -> [Int] {
        var path = [end]
        while before[path[path.count - 1]] >= 0 { path.append(Int(before[path[path.count - 1]])) }
        return path.reversed()
    }
}
