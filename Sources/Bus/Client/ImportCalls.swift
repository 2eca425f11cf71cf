import Geofence1
package import Model
import Systemd

/// The result of an import.
package struct ImportedChange {
    /// The catalogue's generation after it.
    package var generation: UInt64
    /// Fences that are new or have changed.
    package var changed: UInt64
    /// Fences that were removed.
    package var removed: UInt64
    /// Fences that were accepted with a warning.
    package var warnings: [CatalogueNote]

    /// From the answer of `ImportFencesFrom`.
    init?(bus answer: [BusValue]) {
        guard answer.count == 4, let generation = answer[0].asUInt64,
            let changed = answer[1].asUInt64, let removed = answer[2].asUInt64
        else { return nil }
        self.generation = generation
        self.changed = changed
        self.removed = removed
        warnings = [CatalogueNote](bus: answer[3])
    }
}

extension DaemonClient {
    /// Passes on a file of fences, which the daemon reads from its present position; `reply` is
    /// called from the loop when either all of it or nothing has been stored.
    /// - Parameters:
    ///   - origin: the origin of the fences.
    ///   - replacing: removes fences of that origin that are not in the file.
    package func beginImport(
        of descriptor: Int32, into origin: FenceOrigin = .bus, replacing: Bool,
        reply: @escaping @MainActor (Result<ImportedChange, ClientError>) -> Void
    ) throws(ClientError) {
        let unreadable = unreadableAnswer
        try begin(
            .importFencesFrom,
            [
                .fileDescriptor(descriptor), .string(""), .string(origin.text),
                .dictionary([("replace", .bool(replacing))]),
            ]
        ) { result in
            reply(
                result.flatMap { answer in
                    ImportedChange(bus: answer).map(Result.success) ?? .failure(unreadable)
                })
        }
    }
}
