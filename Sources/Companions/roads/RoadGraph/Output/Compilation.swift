import JSON

/// The approaches of all hazards of an extract, as text.
package struct Compilation: Sendable {
    /// Features, each a line of GeoJSON, in the order of the hazards.
    package private(set) var features: [[UInt8]] = []
    /// The hazards of `features`.
    package private(set) var hazards: [Hazard] = []
    /// Hazards to which no road leads.
    package private(set) var unreachable: [Hazard] = []
    /// Hazards whose approach is not whole.
    package private(set) var truncated: [Hazard] = []
    /// How many are points, because no road is known to lead there.
    package private(set) var cones = 0
    /// Of all approaches.
    package private(set) var legs = 0

    /// Computes them.
    /// - Parameters:
    ///   - hazards: all, also those that `options` leave out, in the order of the output.
    ///   - others: hazards that are not written, but close roads.
    ///   - report: called on and on with the share that is done, 0...1.
    package init(
        _ network: RoadNetwork, _ grid: RoadGrid, _ hazards: [Hazard], others: [Hazard] = [],
        _ options: HazardOptions, report: (Double) -> Void = { _ in }
    ) {
        var texts = [[UInt8]?](repeating: nil, count: hazards.count)
        var done = 0
        for kind in LimitKind.allCases {
            let own = hazards.indices.filter { hazards[$0].limit.kind == kind }
            guard own.contains(where: { options.admits(hazards[$0]) }) else { continue }
            let closing = own.map { hazards[$0] } + others.filter { $0.limit.kind == kind }
            var builder = ApproachBuilder(network, grid, hazards: closing)
            let order = own.sorted {
                (hazards[$0].limit.rank, $0) < (hazards[$1].limit.rank, $1)
            }
            for index in order where options.admits(hazards[index]) {
                texts[index] = text(hazards[index], &builder)
                done += 1
                report(Double(done) / Double(hazards.count))
            }
        }
        for index in hazards.indices {
            guard let text = texts[index] else { continue }
            if text.isEmpty {
                unreachable.append(hazards[index])
            } else {
                self.hazards.append(hazards[index])
                features.append(text)
            }
        }
    }

    /// Empty if no road leads there.
    private mutating func text(_ hazard: Hazard, _ builder: inout ApproachBuilder) -> [UInt8] {
        var writer = JSONWriter()
        if case .point(let point, let direction) = hazard.section {
            cones += 1
            writer.write(hazard, at: point, direction: direction)
            return writer.bytes
        }
        let approach = builder.approach(to: hazard)
        guard !approach.legs.isEmpty else { return [] }
        if approach.isTruncated { truncated.append(hazard) }
        legs += approach.legs.count
        writer.write(hazard, approach)
        return writer.bytes
    }

    /// A FeatureCollection of features, a line each.
    package static func collection(_ features: [[UInt8]], _ body: ([UInt8]) throws -> Void) rethrows
    {
        try body(Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8))
        for (index, feature) in features.enumerated() {
            try body(Array((index == 0 ? "\n" : ",\n").utf8))
            try body(feature)
        }
        try body(Array("\n]}\n".utf8))
    }
}
