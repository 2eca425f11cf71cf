/// How a value came about.
package enum LimitBasis: String, Sendable {
    /// The sign, which may hold back a margin.
    case signed
    /// A sign without a margin, as in the United States.
    case signedActual = "signed-actual"
    /// No sign.
    case measured
    /// What the law of the country allows everywhere.
    case nationalDefault = "default"
    /// No number: lower than that.
    case belowDefault = "below-default"
    /// No number.
    case unknown
}

/// What may not pass.
package struct Limit: Hashable, Sendable {
    /// What is limited.
    package let kind: LimitKind
    /// m or t; nil for the bases without a number.
    package let value: Double?
    /// The value as it is tagged or listed.
    package let sign: String
    /// How it came about.
    package let basis: LimitBasis
    /// When it holds, as the tag says; nil: always.
    package let condition: String?
    /// Why the value may be meant otherwise; nil: it may not.
    package let doubt: String?
    /// The hours in which the limit applies; nil if it always applies.
    package var hours: String?

    package init(
        kind: LimitKind, value: Double?, sign: String, basis: LimitBasis,
        condition: String? = nil, doubt: String? = nil
    ) {
        self.kind = kind
        self.value = value
        self.sign = sign
        self.basis = basis
        self.condition = condition
        self.doubt = doubt
    }

    /// Of a value that cannot be read: where that is a height, vehicles are warned without a number. Nil
    /// of other kinds, of which nobody could be.
    init?(unread text: String, _ reason: String, of kind: LimitKind, condition: String? = nil) {
        guard kind == .height else { return nil }
        self.init(
            kind: kind, value: nil, sign: text, basis: .belowDefault, condition: condition,
            doubt: reason)
    }

    /// Of two for one place: the lower one, and one that could be read.
    func counts(before other: Limit) -> Bool {
        isUnread == other.isUnread ? rank < other.rank : other.isUnread
    }

    /// There is a value, and it cannot be read.
    var isUnread: Bool { value == nil && doubt != nil }

    /// For comparing limits of one kind: of those without a number one lower than the country's
    /// default counts as 3.5 m, above which vehicles are warned of it, the other as no limit.
    package var rank: Double {
        value ?? (basis == .belowDefault ? 3.5 : .infinity)
    }
}

extension LimitKind {
    /// Why a high value is left out.
    var beyond: String {
        "above \(plausible.upperBound) \(isMass ? "t" : "m"), which limits nothing"
    }

    /// What follows from a value that cannot be read.
    func told(unread reason: String) -> String {
        self == .height ? "\(reason); warned of without a number" : reason
    }
}

/// A value that could not be used, or is used in doubt.
package struct ValueRemark: Hashable, Sendable {
    /// Whether the value is used all the same.
    package enum Outcome: String, CaseIterable, Sendable {
        /// It cannot be read, or cannot be.
        case refused
        /// It may be meant otherwise.
        case doubtful
        /// It limits nothing.
        case leftOut = "left out"
    }

    /// What became of it.
    package let outcome: Outcome
    /// Such as `way 25494427`.
    package let object: String
    /// Such as `maxheight=3..35`.
    package let tag: String
    /// Why.
    package let reason: String

    package init(outcome: Outcome, object: String, tag: String, reason: String) {
        self.outcome = outcome
        self.object = object
        self.tag = tag
        self.reason = reason
    }
}
