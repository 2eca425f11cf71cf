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
    /// Called after every question to the store: nil when it was answered, else why it was not.
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
        Tracker(engine: engine, store: store, onAnswer: onAnswer)
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

    private func ask(_ query: StoreQuery) -> Input {
        do {
            let answer = try answer(query)
            onAnswer(nil)
            return .answer(answer)
        } catch {
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
