import RoadGraph

/// What is said on standard error at the end.
struct Summary {
    let extract: Extract
    let finder: HazardFinder
    let list: BridgeList?
    /// That were to be written.
    let hazards: [Hazard]
    /// Among the rows of the list.
    let disagreements: [Disagreement]
    let compilation: Compilation
    let crossings: BridgeCrossings
    let options: HazardOptions

    var lines: [String] {
        var lines: [String] = []
        let network = extract.network
        if !network.ways.isEmpty {
            lines.append("roads: \(network.ways.count) ways, \(network.vertexCount) junctions")
        }
        if extract.duplicates > 0 { lines.append("ways given twice: \(extract.duplicates)") }
        if extract.missingNodes > 0 {
            lines.append("nodes missing at the edge of the extract: \(extract.missingNodes)")
        }
        lines += Self.lines(list?.remarks ?? finder.remarks)
        lines += disagreements.map { "\(Self.text(of: $0)), which counts" }
        if list != nil {
            lines += Disagreement.between(hazards, finder.hazards).map {
                "\(Self.text(of: $0)); import both, then the lower counts"
            }
        }
        for kind in LimitKind.allCases where options.kinds.contains(kind) { lines += hazards(kind) }
        if hazards.isEmpty { lines.append("no limits are in these files") }
        for hazard in compilation.unreachable {
            lines.append("no road leads to it: \(hazard.source)")
        }
        for hazard in compilation.truncated {
            lines.append("too large, its farthest legs are left out: \(hazard.source)")
        }
        let count = compilation.hazards.count
        lines.append("approaches: \(count - compilation.cones), with \(compilation.legs) legs")
        if compilation.cones > 0 {
            lines.append(
                """
                cones: \(compilation.cones) points without a road within 30 m: later warnings, \
                and more false ones, than along roads
                """)
        }
        if let list { lines += Self.rows(of: list) }
        if let list, list.entryCount > hazards.count {
            lines.append("rows that repeat a place: \(list.entryCount - hazards.count)")
        }
        if list == nil {
            lines.append(
                """
                coverage: \(crossings.total) public roads pass under a bridge, of which \
                \(crossings.total - crossings.known) do not say how high it is
                """)
        }
        return lines
    }

    /// A line for each, by what became of it.
    static func lines(_ remarks: [ValueRemark]) -> [String] {
        ValueRemark.Outcome.allCases.flatMap { outcome in
            remarks.filter { $0.outcome == outcome }.map {
                "\(outcome.rawValue): \($0.object): \($0.tag): \($0.reason)"
            }
        }
    }

    /// What became of the rows of a list, and in which units its numbers were read.
    static func rows(of list: BridgeList) -> [String] {
        func rows(_ outcome: ValueRemark.Outcome) -> Int {
            Set(list.remarks.filter { $0.outcome == outcome }.map(\.object)).count
        }
        let units = LimitKind.allCases.flatMap { kind -> [String] in
            let split = list.splits[kind].map {
                "\(kind.rawValue) in two columns: \($0.name) as \($0.unit.rawValue), "
                    + "\($0.restName) as \($0.restUnit.rawValue)"
            }
            let unit = list.units[kind].map {
                "\(kind.rawValue) without a unit: read as \($0.rawValue)"
            }
            let guess = list.guessed[kind].map {
                "\(kind.rawValue) without a unit: guessed, in \($0) of \(list.rowCount) rows"
            }
            return [split ?? unit, guess].compactMap(\.self)
        }
        return units + [
            """
            rows of the list: \(list.rowCount), of which taken: \(list.rowsTaken), \
            in doubt: \(rows(.doubtful)), refused: \(rows(.refused)), left out: \(rows(.leftOut))
            """
        ]
    }

    private static func text(of disagreement: Disagreement) -> String {
        let texts = [disagreement.higher, disagreement.lower].map {
            "\($0.source) says \($0.limit.value ?? 0) m"
        }
        return "different for one place: \(texts.joined(separator: ", "))"
    }

    /// How many of each value, and how many were left out.
    private func hazards(_ kind: LimitKind) -> [String] {
        let all = hazards.filter { $0.limit.kind == kind }
        guard !all.isEmpty else { return [] }
        var counts: [String: Int] = [:]
        var order: [(rank: Double, name: String)] = []
        for hazard in compilation.hazards where hazard.limit.kind == kind {
            let name =
                hazard.limit.value.map { "\(($0 * 1000).rounded() / 1000)" }
                ?? hazard.limit.basis.rawValue
            if counts[name] == nil { order.append((hazard.limit.rank, name)) }
            counts[name, default: 0] += 1
        }
        let count = compilation.hazards.reduce(0) { $0 + ($1.limit.kind == kind ? 1 : 0) }
        let values = order.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map {
            "\($0.name) ×\(counts[$0.name] ?? 0)"
        }
        var line = "\(kind.rawValue): \(count)"
        if !values.isEmpty { line += " (\(values.joined(separator: ", ")))" }
        let outside = all.reduce(0) { $0 + (options.admits($1) ? 0 : 1) }
        if outside > 0 { line += "; left out: \(outside)" }
        return [line]
    }
}
