import Geodesy
package import Time

/// An engine with the store that answers its questions.
package struct Tracker {
    /// After the last input.
    package private(set) var engine: Engine
    private let store: any FenceStore
    private var isAnswered = true
    /// Called when the store does not answer a question, with the reason, and with nil when it
    /// answers again.
    private let onAnswer: ((any Error)?) -> Void

    package init(
        engine: Engine, store: any FenceStore, onAnswer: @escaping ((any Error)?) -> Void
    ) {
        self.engine = engine
        self.store = store
        self.onAnswer = onAnswer
    }

    /// The same store with another engine.
    package func continuing(with engine: Engine) -> Tracker {
        var next = self
        next.engine = engine
        return next
    }

    /// What follows from an input.
    package struct Outcome {
        /// To be carried out, in order.
        package var directives: [Directive]
        /// It changed nothing but the engine: where it was a report, it may be kept instead of the
        /// engine, see ``EngineCheckpoint/reports``.
        package var isUneventful: Bool
    }

    /// Takes one input to its end.
    package mutating func handle(_ input: Input, at now: Uptime) -> Outcome {
        let directives = engine.handle(input, at: now)
        var outcome = Outcome(
            directives: directives, isUneventful: engine.isUneventful(directives))
        while let query = engine.question {
            outcome.directives += engine.handle(ask(query), at: now)
        }
        return outcome
    }

    /// The recording is over.
    package mutating func finish() { engine.finish() }

    private mutating func ask(_ query: StoreQuery) -> Input {
        do {
            let answer = try answer(query)
            // Found in this very question, perhaps: what is missing of the answer was not removed.
            if store.mayLackFences { engine.lacksFences = true }
            engine.heldFences = store.heldFences
            if !isAnswered { onAnswer(nil) }
            isAnswered = true
            return .answer(answer)
        } catch {
            isAnswered = false
            onAnswer(error)
            return .storeFailed
        }
    }

    private func answer(_ query: StoreQuery) throws -> StoreAnswer {
        switch query {
        case .meeting(let step, let limit):
            .entries(
                try withFollowed(
                    try store.entries(meeting: step.box, limit: limit) { step.touches($0) }))
        case .entries(let ids): .entries(try store.entries(ids: ids))
        case .nearest(let anchor, let limit):
            .ranked(try nearest(to: anchor, limit: limit))
        }
    }

    private func withFollowed(_ entries: [CatalogueEntry]) throws -> [CatalogueEntry] {
        let followed = try store.followed()
        guard !followed.isEmpty else { return entries }
        let known = Set(entries.map(\.key))
        return entries + followed.filter { !known.contains($0.key) }
    }

    /// The nearest of the others, as many as asked for, and all whose way is followed.
    private func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        let followed = try store.followed()
        let nearest = try store.nearest(to: anchor, limit: limit + followed.count)
        guard !followed.isEmpty else { return nearest }
        let known = Set(nearest.map(\.entry.key))
        return nearest
            + followed.filter { !known.contains($0.key) }.map {
                RankedEntry(entry: $0, signedDistance: $0.signedDistance(to: anchor))
            }
    }
}
