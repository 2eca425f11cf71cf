import Time

/// Finds the hazards of an extract: connected edges with the same limit of a kind, and nodes.
package struct HazardFinder {
    private let network: RoadNetwork
    private let options: HazardOptions
    /// All that were found, also those that the options leave out; by the number of their least
    /// way, then by node, then by kind.
    package private(set) var hazards: [Hazard] = []
    /// Values that were refused, or are used in doubt, in the order of their objects.
    package private(set) var remarks: [ValueRemark] = []

    /// Of edges that hang together.
    private struct Group: Hashable, Comparable {
        let kind: LimitKind
        /// mm or kg; -1 below the default, -2 unknown.
        let value: Int
        /// Empty: all.
        let hours: String

        init(_ limit: Limit) {
            kind = limit.kind
            hours = limit.hours ?? ""
            value =
                limit.value.map { Int(($0 * 1000).rounded()) }
                ?? (limit.basis == .belowDefault ? -1 : -2)
        }

        static func < (a: Group, b: Group) -> Bool {
            (a.kind, a.value, a.hours) < (b.kind, b.value, b.hours)
        }
    }

    /// Reads the limits of all restricted objects.
    package init(_ extract: Extract, _ options: HazardOptions) {
        network = extract.network
        self.options = options
        var members: [Group: [RoadEdge: Limit]] = [:]
        var timestamps: [Int: Int64] = [:]
        let firstSegments = Self.firstSegments(network)
        for object in extract.restricted {
            switch object.place {
            case .way(let way):
                timestamps[way] = object.timestamp
                read(object, way, firstSegments, &members)
            case .node(let id, let vertex):
                read(object, node: id, vertex)
            }
        }
        for limits in members.sorted(by: { $0.key < $1.key }).map(\.value) {
            for edges in connected(Array(limits.keys)) { add(edges, limits, timestamps) }
        }
        dropRepeated()
        hazards.sort { $0.order < $1.order }
        name()
    }

    /// By way: its first segment; as many as ways, and one more.
    private static func firstSegments(_ network: RoadNetwork) -> [Int] {
        var first = [Int](repeating: 0, count: network.ways.count + 1)
        for segment in network.segments { first[Int(segment.way) + 1] += 1 }
        for way in network.ways.indices { first[way + 1] += first[way] }
        return first
    }

    private mutating func read(
        _ object: RestrictedObject, _ way: Int, _ first: [Int],
        _ members: inout [Group: [RoadEdge: Limit]]
    ) {
        let segments = first[way]..<first[way + 1]
        guard let segment = segments.first else { return }
        let start = network.position(ofVertex: Int(network.segments[segment].from))
        var tags = LimitTags(
            object.tags, object: "way \(network.ways[way].id)", place: start.coordinate,
            defaultHeight: options.defaultHeight)
        for direction in [LimitTags.Direction.forward, .backward] {
            let limits = tags.limits(direction)
            for segment in segments {
                let edge = RoadEdge(segment: segment, isForward: direction == .forward)
                guard network.isOpen(edge) else { continue }
                for limit in limits { members[Group(limit), default: [:]][edge] = limit }
            }
        }
        remarks += tags.remarks
    }

    private mutating func read(_ object: RestrictedObject, node id: Int64, _ vertex: Int) {
        var tags = LimitTags(
            object.tags, object: "node \(id)", place: network.position(ofVertex: vertex).coordinate,
            defaultHeight: options.defaultHeight)
        let ways = network.halfEdges(at: vertex).map { Int(network.segments[$0.segment].way) }
        let isBarrier = object.tags[.barrier] == "height_restrictor"
        for limit in tags.limits(.node) {
            let best = ways.min { a, b in
                (network.ways[a].roadClass.rank, a) < (network.ways[b].roadClass.rank, b)
            }
            let kind = isBarrier && limit.kind == .height ? "Height restrictor" : limit.kind.title
            hazards.append(
                Hazard(
                    id: "osm-n\(id)", limit: limit, section: .vertex(vertex),
                    source: "OpenStreetMap node \(id)", date: Self.date(object.timestamp),
                    title: title(kind, best), way: best,
                    isPrivate: ways.allSatisfy { isPrivate($0) }))
        }
        remarks += tags.remarks
    }

    /// Sets of edges whose segments share vertices; each ascending.
    private func connected(_ edges: [RoadEdge]) -> [[RoadEdge]] {
        let edges = edges.sorted()
        var parents = Array(edges.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        var seen: [Int: Int] = [:]
        for (index, edge) in edges.enumerated() {
            for vertex in [network.start(of: edge), network.end(of: edge)] {
                guard let other = seen[vertex] else {
                    seen[vertex] = index
                    continue
                }
                let (a, b) = (root(index), root(other))
                parents[max(a, b)] = min(a, b)
            }
        }
        var groups: [Int: [RoadEdge]] = [:]
        for index in edges.indices { groups[root(index), default: []].append(edges[index]) }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func add(
        _ edges: [RoadEdge], _ limits: [RoadEdge: Limit], _ timestamps: [Int: Int64]
    ) {
        // Ways are in the order of their ids, and segments in that of ways.
        guard let first = edges.first, let limit = limits[first] else { return }
        let way = Int(network.segments[first.segment].way)
        let road = network.ways[way]
        let ways = Set(edges.map { Int(network.segments[$0.segment].way) })
        hazards.append(
            Hazard(
                id: "osm-w\(road.id)", limit: limit, section: .edges(edges),
                source: "OpenStreetMap way \(road.id)", date: Self.date(timestamps[way] ?? 0),
                title: title(limit.kind.title, way), way: way,
                isPrivate: ways.allSatisfy { isPrivate($0) }))
    }

    private func isPrivate(_ way: Int) -> Bool {
        network.ways[way].roadClass == .service || network.ways[way].access == .limited
    }

    private func title(_ kind: String, _ way: Int?) -> String {
        guard let way else { return kind }
        let name = network.name(of: network.ways[way])
        return name.isEmpty ? kind : "\(kind), \(name)"
    }

    private static func date(_ timestamp: Int64) -> String? {
        // The years that nanoseconds can count.
        guard timestamp > 0, timestamp < 9_000_000_000 else { return nil }
        return String(UTCTime(nanoseconds: timestamp * 1_000_000_000).iso8601.prefix(10))
    }

    /// A node at the end of a section that is as low or lower is the same place.
    private mutating func dropRepeated() {
        var lowest: [LimitKind: [Int: Double]] = [:]
        for hazard in hazards {
            guard case .edges(let edges) = hazard.section else { continue }
            for edge in edges {
                for vertex in [network.start(of: edge), network.end(of: edge)] {
                    let known = lowest[hazard.limit.kind]?[vertex] ?? .infinity
                    lowest[hazard.limit.kind, default: [:]][vertex] = min(known, hazard.limit.rank)
                }
            }
        }
        hazards.removeAll { hazard in
            guard case .vertex(let vertex) = hazard.section else { return false }
            guard let rank = lowest[hazard.limit.kind]?[vertex] else { return false }
            return rank <= hazard.limit.rank
        }
    }

    /// Where one object has several hazards, their ids tell of the kind.
    private mutating func name() {
        var counts: [String: Int] = [:]
        for hazard in hazards { counts[hazard.id, default: 0] += 1 }
        var taken: Set<String> = []
        for index in hazards.indices {
            let hazard = hazards[index]
            var id = hazard.id
            if counts[id, default: 0] > 1 { id += "-\(hazard.limit.kind.rawValue)" }
            var number = 2
            let base = id
            while !taken.insert(id).inserted {
                id = "\(base)-\(number)"
                number += 1
            }
            hazards[index].id = id
        }
    }
}

extension Hazard {
    /// Ways before nodes, each in the order of the network.
    fileprivate var order: (Int, Int, LimitKind) {
        switch section {
        case .edges(let edges): (0, Int(edges.first?.number ?? 0), limit.kind)
        case .vertex(let vertex): (1, vertex, limit.kind)
        // Not in extracts.
        case .positions, .point: (2, 0, limit.kind)
        }
    }
}
