import Geodesy

/// An engine with the store that answers it. The directives that come out are for the shell: none
/// of them asks.
package struct Tracker {
    package private(set) var engine: Engine
    private let store: any FenceStore
    /// Told of what the store could not answer.
    private let onStoreError: (any Error) -> Void

    package init(
        engine: Engine, store: any FenceStore, onStoreError: @escaping (any Error) -> Void
    ) {
        self.engine = engine
        self.store = store
        self.onStoreError = onStoreError
    }

    /// The same store with another engine.
    package func continuing(with engine: Engine) -> Tracker {
        Tracker(engine: engine, store: store, onStoreError: onStoreError)
    }

    /// Takes one input to its end.
    package mutating func handle(_ input: Input, at now: Uptime) -> [Directive] {
        var outcome = engine.handle(input, at: now)
        while case .ask(let query)? = outcome.last {
            outcome.removeLast()
            outcome += engine.handle(answer(query), at: now)
        }
        return outcome
    }

    /// Nothing more will come.
    package mutating func finish() { engine.finish() }

    private func answer(_ query: StoreQuery) -> Input {
        do {
            switch query {
            case .meeting(let box):
                return .answer(.entries(try store.entries(meeting: box)))
            case .entries(let ids):
                return .answer(.entries(try store.entries(ids: ids)))
            case .nearest(let anchor, let limit):
                return .answer(.ranked(try store.nearest(to: anchor, limit: limit)))
            }
        } catch {
            onStoreError(error)
            return .storeFailed
        }
    }
}
