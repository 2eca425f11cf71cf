import Geofence1
import Model
import Systemd

/// How a file becomes the set of a named origin.
package struct OriginImport: Sendable {
    /// `source/NAME`.
    package var origin: String
    /// More removals refuse the whole file; nil for any number.
    package var mostRemoved: Int?
    /// Nothing is stored: the answer says what would be.
    package var isDryRun = false

    package init(origin: String, mostRemoved: Int? = nil, isDryRun: Bool = false) {
        self.origin = origin
        self.mostRemoved = mostRemoved
        self.isDryRun = isDryRun
    }
}

extension DaemonClient {
    /// Replaces the fences of a named origin by those of a GeoJSON file, which the daemon reads from
    /// its present position; `reply` is called from the loop when all of it has been stored, or
    /// nothing. For programs that own an origin.
    package func begin(
        _ change: OriginImport, descriptor: Int32,
        reply: @escaping @MainActor (Result<ImportedChange, ClientError>) -> Void
    ) throws(ClientError) {
        let unreadable = unreadableAnswer
        var options: [(String, BusValue)] = [
            ("replace", .bool(true)), ("dry_run", .bool(change.isDryRun)),
        ]
        if let most = change.mostRemoved {
            options.append(("max_removed", .uint64(UInt64(max(0, most)))))
        }
        try begin(
            .importFencesFrom,
            [
                .fileDescriptor(descriptor), .string("geojson"), .string(change.origin),
                .dictionary(options),
            ]
        ) { result in
            reply(
                result.flatMap { answer in
                    ImportedChange(bus: answer).map(Result.success) ?? .failure(unreadable)
                })
        }
    }
}

extension ImportedChange {
    /// The warnings as texts, for programs that do not have the engine's types.
    package var remarks: [String] { warnings.map { "\($0.fence): \($0.reason)" } }
}
