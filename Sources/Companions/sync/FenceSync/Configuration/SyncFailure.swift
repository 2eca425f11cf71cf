import Files

/// How a source is doing, in one word: in its status, in the journal and for `geofencectl status`.
package enum SyncState: String, CaseIterable, Sendable {
    /// It is being asked.
    case fetching
    /// The set is that of the last time.
    case unchanged
    /// A new set is in the catalogue.
    case imported
    /// Nobody answers.
    case noNetwork = "no-network"
    /// The answer is not provably the whole set.
    case incomplete
    /// The server does not let us in, or does not do what it is asked.
    case refused
    /// The answer, an entry or the configuration cannot be understood.
    case invalid
    /// So many fences would go that a person must agree.
    case held
    /// The set is larger than it may be.
    case overLimit = "over-limit"
    /// The daemon or the disk did not take it.
    case notStored = "not-stored"
    /// The look did not end by itself: it was killed.
    case killed
    /// A person has paused it: no look is due until somebody asks for one.
    case paused

    /// Nothing needs to be done.
    package var isGood: Bool {
        switch self {
        case .unchanged, .imported, .fetching, .paused: true
        default: false
        }
    }
}

/// Why there is no new set. The former one stays.
package struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which state that is.
    package var state: SyncState
    /// A phrase without a full stop.
    package var reason: String
    /// The server asks for that long, s.
    package var retryAfter: Int?
    /// Credentials were refused: trying again soon locks accounts.
    package var isAboutCredentials = false

    package init(_ state: SyncState, _ reason: String) {
        self.state = state
        self.reason = reason
    }

    /// The disk did not take it.
    init(_ error: Errno, _ operation: String) {
        self.init(.notStored, "\(operation): \(error)")
    }

    /// What `body` does with a file; `operation` names it.
    static func storing<Value>(
        _ operation: String, _ body: () throws(Errno) -> Value
    ) throws(SyncFailure) -> Value {
        do throws(Errno) { return try body() } catch { throw SyncFailure(error, operation) }
    }

    package var description: String { "\(state.rawValue): \(reason)" }
}
