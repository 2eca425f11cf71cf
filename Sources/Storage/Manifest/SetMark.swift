import Model

/// What identifies a set of fences as it was accepted: how many, and a sum over their contents that
/// does not depend on their order. Equal marks are taken for equal sets; no protection against an
/// attacker, who has the set itself. A fence of a set that has ended since then still counts: those
/// who bring the set would bring it again.
struct SetMark: Hashable, Sendable {
    var count: Int64 = 0
    /// The sum of what each fence itself hashes to.
    var sum: UInt64 = 0
    /// How many of them have an approach.
    var hazards: Int64 = 0

    static let nothing = SetMark()
    /// Of a set of which nobody knows how many there were, perhaps hazards; no set has it.
    static let unknown = SetMark(count: 0, sum: 1, hazards: 1)

    /// 16 hexadecimal digits.
    var digest: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    static func += (mark: inout SetMark, other: SetMark) {
        mark.count &+= other.count
        mark.sum &+= other.sum
        mark.hazards &+= other.hazards
    }

    static func -= (mark: inout SetMark, other: SetMark) {
        mark.count &-= other.count
        mark.sum &-= other.sum
        mark.hazards &-= other.hazards
    }
}

/// A set as it was accepted, and with which change of the catalogue: where two witnesses differ, the
/// later one is right.
struct AcceptedSet: Hashable, Sendable {
    var mark = SetMark()
    /// 0: never.
    var generation: Generation = 0
}

/// What there is of one origin.
struct SetContents: Hashable {
    /// As it was accepted.
    var mark = SetMark()
    /// How many of them are there; the others have ended.
    var fences: Int64 = 0

    static let nothing = SetContents()
    /// Of a copy whose end cannot be read: no set has these.
    static let unknown = SetContents(mark: .unknown, fences: -1)
}
