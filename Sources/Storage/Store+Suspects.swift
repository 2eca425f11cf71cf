import Law

/// A file of the store that may be damaged.
package struct SuspectFile: Hashable, Sendable {
    /// Its path.
    package var path: String
    /// What SQLite has met in it.
    package var reason: String
}

// Files that may be damaged.
extension Store {
    private var connections: [Connection] { [log.connection, catalogue.connection] }

    /// Files in which SQLite has met something that they cannot hold. Each is used as far as it can
    /// be read, until ``resolve(_:_:)`` says what a check has found.
    package var suspects: [SuspectFile] {
        connections.compactMap { connection in
            connection.suspect.map { SuspectFile(path: connection.path, reason: $0.message) }
        }
    }

    /// Called when there is one more of ``suspects``, from within the question or the commit.
    package func onSuspect(_ body: @escaping () -> Void) {
        for connection in connections { connection.onSuspect = body }
    }

    /// What was found in one of ``suspects``. A damaged file is quarantined by the next use, a sound
    /// one is opened again; one that could not be checked stays suspect.
    package func resolve(_ path: String, _ verdict: StoreCheck.Verdict) {
        for connection in connections where connection.path == path {
            switch verdict {
            case .sound: connection.absolve()
            case .damaged(let reason): connection.condemn("damaged (\(reason))")
            case .lacking, .unknown: break
            }
        }
    }

    /// For a start, which cannot go on without what it asks for: a file in which SQLite cannot read
    /// that is of no use.
    package func giveUp(after error: any Error) {
        guard let error = error as? StoreError, error.kind == .corrupt else { return }
        resolve(error.path, .damaged(error.message))
    }
}
