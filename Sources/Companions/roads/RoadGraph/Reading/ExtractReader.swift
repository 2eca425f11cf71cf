extension Extract {
    /// Reads files, each twice: ways first, then the positions of their nodes and of no others.
    /// Ways in several files count once, in the highest version.
    /// - Parameter report: called on and on with how far it is.
    package static func read(
        _ paths: [String], report: @escaping (ReadingProgress) -> Void = { _ in }
    ) throws(ExtractError) -> Extract {
        let passes = Double(2 * paths.count)
        let collector = WayCollector()
        for (index, path) in paths.enumerated() {
            collector.report = {
                report(ReadingProgress(path: path, share: (Double(index) + $0) / passes))
            }
            try OSMFile(path: path).readWays(collector)
        }
        let ways = distinct(collector.ways)
        let total = ways.reduce(0) { $0 + $1.count }
        guard total < Int(Int32.max) else {
            throw ExtractError(
                path: paths.joined(separator: " "),
                reason: "more than 2,147,483,647 points of roads")
        }
        let ids = ids(ways, collector.nodes)
        var longitudes = [Int32](repeating: .max, count: ids.count)
        var latitudes = longitudes
        let nodes = NodeCollector()
        for (index, path) in paths.enumerated() {
            nodes.report = {
                let done = Double(paths.count + index) + $0
                report(ReadingProgress(path: path, share: done / passes))
            }
            try OSMFile(path: path).readNodes(
                ids, longitudes: &longitudes, latitudes: &latitudes, nodes)
        }
        var builder = NetworkBuilder(
            collector: collector, ways: ways, ids: ids,
            points: zip(longitudes, latitudes).map { RoadPoint(longitude: $0, latitude: $1) })
        return builder.build(
            nodes: nodes.nodes.sorted { $0.id < $1.id },
            duplicates: collector.ways.count - ways.count)
    }

    /// By id, each once.
    private static func distinct(_ ways: [CollectedWay]) -> [CollectedWay] {
        let isSorted = zip(ways, ways.dropFirst()).allSatisfy { $0.id < $1.id }
        if isSorted { return ways }
        // Sorting is stable: of equal versions the one of the first file.
        let sorted = ways.sorted { ($0.id, $1.version) < ($1.id, $0.version) }
        var result: [CollectedWay] = []
        result.reserveCapacity(sorted.count)
        for way in sorted where result.last?.id != way.id { result.append(way) }
        return result
    }

    /// The ids of all nodes, ascending, each once.
    private static func ids(_ ways: [CollectedWay], _ nodes: [Int64]) -> [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(nodes.count)
        for way in ways { ids += nodes[way.first..<way.first + way.count] }
        ids.sort()
        var kept = 0
        for index in ids.indices where kept == 0 || ids[index] != ids[kept - 1] {
            ids[kept] = ids[index]
            kept += 1
        }
        ids.removeLast(ids.count - kept)
        return ids
    }
}
