/// What a change of one origin's fences must keep to. It is checked within the transaction of the
/// change: where it does not hold, nothing is stored.
package struct ChangeConditions: Hashable, Sendable {
    /// Fences in the catalogue after a change that adds to them.
    package var fenceLimit = Int.max
    /// Fences of the origin after a change that adds to them.
    package var originLimit = Int.max
    /// Fences that the change may remove; nil for any number.
    package var mostRemoved: Int?
    /// The origin's fences have not been changed after this generation; nil where that is not
    /// asked.
    package var unchangedSince: Generation?
    /// Everything is done but the storing: the answer says what would be changed and removed.
    package var isDryRun = false
    /// Nothing of the origin is removed, so that too many are refused as soon as they are too many.
    package var removesNothing = false

    package init() {}
}

/// Why a change was refused whole, though each of its fences may be stored.
package enum ChangeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The catalogue would have more fences than it may.
    case tooManyFences(limit: Int)
    /// The origin would have more.
    case quotaExceeded(FenceOrigin, limit: Int)
    /// `count` is of those that would be removed, at least; `present` of those that there are.
    case tooManyRemoved(FenceOrigin, count: Int, present: Int, limit: Int)
    /// The origin's fences were last changed in that generation.
    case changedSince(FenceOrigin, Generation)
    /// The catalogue would exceed its greatest number of beacon fences.
    case tooManyBeacons(limit: Int)
    /// The catalogue would exceed its greatest number of fences with `arrive_sec`.
    case tooManyFollowed(limit: Int)
    /// A new named origin would be one too many.
    case tooManyOrigins(limit: Int)

    package var description: String {
        switch self {
        case .tooManyFences(let limit): "more than \(limit) fences"
        case .quotaExceeded(let origin, let limit): "more than \(limit) fences of \(origin)"
        case .tooManyRemoved(let origin, let count, let present, let limit):
            "would remove \(count) of \(present) fences of \(origin), more than \(limit)"
        case .changedSince(let origin, let generation):
            "the fences of \(origin) were changed in generation \(generation)"
        case .tooManyBeacons(let limit): "more than \(limit) fences of beacons"
        case .tooManyFollowed(let limit): "more than \(limit) fences with arrive_sec"
        case .tooManyOrigins(let limit): "more than \(limit) named origins"
        }
    }
}

/// The fences of one origin, counted.
package struct OriginSummary: Hashable, Sendable {
    /// Whose they are.
    package var origin: FenceOrigin
    /// How many there are.
    package var fences: Int
    /// The generation of the last change of any of them; of an origin that an older version stored
    /// the one in which this version found it.
    package var generation: Generation
    /// When that was by the system's clock, s since 1970; nil where that is not known.
    package var changedAt: Int64?
    /// How many were accepted; those that have ended since then are among them.
    package var accepted: Int
    /// Of those that were accepted, 16 hexadecimal digits: equal for equal sets. Where some of them may
    /// not be here, that of no set.
    package var digest: String
    /// There is a copy of the set as it is, from which it would be filled again; those of files have
    /// none.
    package var isCopied: Bool
    /// A set that was accepted and is not here; nil unless that is so.
    package var lost: Lost?

    /// A set of fences that was lost.
    package struct Lost: Hashable, Sendable {
        /// How many were accepted; 0 where nobody knows.
        package var fences: Int
        /// Whether one of them had an approach.
        package var haveHazards: Bool

        package init(fences: Int, haveHazards: Bool) {
            self.fences = fences
            self.haveHazards = haveHazards
        }
    }

    /// An origin that has no fences.
    package static func nothing(of origin: FenceOrigin) -> OriginSummary {
        OriginSummary(
            origin: origin, fences: 0, generation: 0, changedAt: nil, accepted: 0,
            digest: String(repeating: "0", count: 16))
    }

    package init(
        origin: FenceOrigin, fences: Int, generation: Generation, changedAt: Int64?,
        accepted: Int, digest: String, isCopied: Bool = false, lost: Lost? = nil
    ) {
        self.isCopied = isCopied
        self.lost = lost
        self.accepted = accepted
        self.digest = digest
        self.origin = origin
        self.fences = fences
        self.generation = generation
        self.changedAt = changedAt
    }
}
