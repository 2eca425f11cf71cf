/// A way or node that limits what may pass.
package struct RestrictedObject: Sendable {
    /// Where it stands in the network.
    package enum Place: Hashable, Sendable {
        /// Into the ways.
        case way(Int)
        /// The node's id, and its vertex.
        case node(id: Int64, vertex: Int)
    }

    /// The way or node.
    package let place: Place
    /// Its tags that tell of limits, and `barrier`.
    package let tags: Tags
    /// When it was last changed, seconds since 1970; 0: unknown.
    package let timestamp: Int64
}

/// What the files hold.
package struct Extract: Sendable {
    /// All roads.
    package let network: RoadNetwork
    /// Ways in their order, then nodes by id.
    package let restricted: [RestrictedObject]
    /// Lines of railways on bridges: a road may pass under them.
    package let railwayBridges: [[RoadPoint]]
    /// Nodes to which a road refers and that are in no file.
    package let missingNodes: Int
    /// Ways that are in more than one file, or twice in one.
    package let duplicates: Int
}

/// Why a file cannot be read.
package struct ExtractError: Error, Hashable, CustomStringConvertible {
    /// As it was given.
    package let path: String
    /// What is wrong.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(reason): \(path)" }
}

/// How far reading has come.
package struct ReadingProgress: Sendable {
    /// The file being read, as it was given.
    package let path: String
    /// Of the whole work, 0...1.
    package let share: Double
}
