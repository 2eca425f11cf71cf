import Geodesy
package import Time

/// An engine with the store that answers its questions.
package struct Tracker {
    /// After the last input.
    package private(set) var engine: Engine
    /// The last input changed nothing but the engine: where it was a report, it may be kept
    /// instead of the engine, see ``EngineCheckpoint/reports``.
    package private(set) var wasUneventful = false
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

    /// Takes one input to its end.
    package mutating func handle(_ input: Input, at now: Uptime) -> [Directive] {
        var directives = engine.handle(input, at: now)
        wasUneventful = engine.isUneventful(directives)
        while let query = engine.question {
            directives += engine.handle(ask(query), at: now)
        }
        return directives
    }

    /// The recording is over.
    package mutating func finish() { engine.finish() }

    private mutating func ask(_ query: StoreQuery) -> Input {
        do {
            let answer = try answer(query)
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
        case .meeting(let box): .entries(try store.entries(meeting: box))
        case .entries(let ids): .entries(try store.entries(ids: ids))
        case .nearest(let anchor, let limit):
            .ranked(try store.nearest(to: anchor, limit: limit))
        }
    }
}
