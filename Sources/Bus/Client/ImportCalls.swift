package import Engine
import Systemd

/// What an import did.
package struct ImportedChange {
    /// Of the catalogue after it.
    package var generation: UInt64
    /// Fences that are new or differ from what was stored.
    package var changed: UInt64
    /// Fences that were in the catalogue and no longer are.
    package var removed: UInt64
    /// Fences that were accepted although something about them is doubtful.
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
    /// Hands a file of fences over, which the daemon reads from where it stands; `reply` comes from
    /// the loop when all of it is stored, or nothing.
    /// - Parameters:
    ///   - origin: whose fences they are.
    ///   - replacing: removes fences of that origin that the file does not have.
    package func beginImport(
        of descriptor: Int32, into origin: FenceOrigin = .bus, replacing: Bool,
        reply: @escaping @MainActor (Result<ImportedChange, ClientError>) -> Void
    ) throws(ClientError) {
        let unreadable = unreadableAnswer
        try begin(
            "ImportFencesFrom",
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
