/// Why a fix did not count.
package enum Refusal: UInt8, CaseIterable, Sendable {
    /// Mode below 2D, a void RMC, or no known date.
    case noFix
    /// Not finite or out of range, not to be read, or 0° 0° without a way there.
    case invalid
    /// Receiver time equal to that of the last accepted fix.
    case duplicate
    /// Receiver time before that of the last accepted fix, or too far ahead of it.
    case outOfOrder
    /// Delayed against the other fixes: the burst after a stall.
    case stale
    /// The error is too large to say anything.
    case inaccurate
    /// No vehicle can have come here in that time.
    case implausible
    /// The position stands still while the speed says otherwise.
    case frozen

    /// The name in `status` and in the summary of a replay.
    package var name: String {
        switch self {
        case .noFix: "no-fix"
        case .invalid: "invalid"
        case .duplicate: "duplicate"
        case .outOfOrder: "out-of-order"
        case .stale: "stale"
        case .inaccurate: "inaccurate"
        case .implausible: "implausible"
        case .frozen: "frozen"
        }
    }
}

/// How many fixes were accepted, and how many refused by reason, since the engine began.
package struct GateCounters: Hashable, Sendable {
    /// Fixes that counted.
    package var accepted: UInt64 = 0
    /// Fixes that did not, by the raw value of ``Refusal``.
    package var refused: [UInt64] = Array(repeating: 0, count: Refusal.allCases.count)

    package init() {}

    package subscript(reason: Refusal) -> UInt64 {
        get { refused[Int(reason.rawValue)] }
        set { refused[Int(reason.rawValue)] = newValue }
    }
}
