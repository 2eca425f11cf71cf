import Formats
import Geodesy
import Geofence1
package import Model
package import Systemd
package import Time

extension DaemonClient {
    /// The fence with that id.
    package func fence(_ id: String) throws(ClientError) -> CatalogueFence {
        let answer = try call(.getFence, [.string(id)], interactive: asksUser)
        return try Self.fence(id, answer.first?.asDictionary ?? [:])
    }

    private static func fence(
        _ id: String, _ properties: [String: BusValue]
    ) throws(ClientError) -> CatalogueFence {
        do throws(FenceProblem) { return try CatalogueFence(id: id, properties) } catch {
            throw .unreadable(
                reason: "cannot be understood (\(error))", subject: "fence \"\(id)\"")
        }
    }

    /// All fences in order of id, or only those of one origin, a page at a time.
    /// - Parameter prefix: only those whose ids begin with it; the others are not asked for.
    package func forEachPage(
        of origin: FenceOrigin? = nil, prefix: String = "",
        _ body: ([CatalogueFence]) throws -> Void
    ) throws {
        // Ids are in the order of their bytes: those that begin with the prefix come right after it.
        var last = prefix
        if !prefix.isEmpty, let same = try fenceIfAny(prefix), origin ?? same.origin == same.origin
        {
            try body([same])
        }
        while true {
            var filter = [("after", BusValue.string(last))]
            if let origin { filter.append(("origin", .string(origin.text))) }
            let answer = try call(
                .listFences, [.dictionary(filter), .uint32(0), .uint32(1000)],
                interactive: asksUser)
            let page = try fences(in: answer)
            let wanted = page.prefix { $0.fence.id.utf8.starts(with: prefix.utf8) }
            guard let end = wanted.last?.fence.id, end != last else { return }
            try body(Array(wanted))
            guard wanted.count == page.count else { return }
            last = end
        }
    }

    /// The title of the fence with that id; nil if there is no such fence.
    package func title(of id: String) throws(ClientError) -> String? {
        try fenceIfAny(id)?.fence.title
    }

    /// The fence with that id; nil if there is none.
    private func fenceIfAny(_ id: String) throws(ClientError) -> CatalogueFence? {
        do throws(ClientError) { return try fence(id) } catch {
            guard error.is(.noSuchFence) else { throw error }
            return nil
        }
    }

    /// The fences of an origin whose ids are wanted, each as a Feature on one line.
    /// - Throws: ``FlawedOrigin``, ``ClientError``, and what `body` throws.
    package func forEachFeature(
        of origin: String, where isWanted: (_ id: String) -> Bool, _ body: (String) throws -> Void
    ) throws {
        try forEachPage(of: FenceOrigin(text: origin)) { page in
            for known in page where isWanted(known.fence.id) {
                try body(FenceFileWriter.feature(known.fence))
            }
        }
    }

    /// The fences in an answer of `ListFences`.
    package func fences(in answer: [BusValue]) throws(ClientError) -> [CatalogueFence] {
        var fences: [CatalogueFence] = []
        for value in answer.first?.asArray ?? [] {
            guard let (id, properties) = value.asNamed else { throw unreadableAnswer }
            fences.append(try Self.fence(id, properties))
        }
        return fences
    }

    /// The origins that have fences, or had and lost them.
    package func origins() throws(ClientError) -> [OriginSummary] {
        try Self.origins(in: call(.listOrigins, interactive: asksUser))
    }

    /// Like ``origins()``, without waiting for longer than `timeout`: `reply` is called from the loop,
    /// with nil where they are not told.
    package func beginOrigins(
        timeout: TimeSpan, reply: @escaping @MainActor ([OriginSummary]?) -> Void
    ) throws(ClientError) {
        try ask(.listOrigins, timeout: timeout) { answer in
            guard let values = try? answer.get() else { return reply(nil) }
            reply(Self.origins(in: values))
        }
    }

    private static func origins(in answer: [BusValue]) -> [OriginSummary] {
        (answer.first?.asArray ?? []).compactMap(OriginSummary.init(bus:))
    }

    /// Nobody misses the lost fences of `origin` any more; nil for all.
    package func acceptLoss(of origin: FenceOrigin?) throws(ClientError) {
        _ = try call(.acceptLoss, [.string(origin?.text ?? "")], interactive: true)
    }

    /// Nobody misses the events any more that the log has lost.
    package func acceptLogLoss() throws(ClientError) {
        _ = try call(.acceptLogLoss, interactive: true)
    }

    /// One atomic batch.
    package func apply(
        upserts: [Fence] = [], removing ids: [String] = []
    ) throws(ClientError) -> AppliedChange {
        let answer = try call(
            .applyFences,
            [
                .array(
                    of: FenceMessage.signature,
                    upserts.map {
                        FenceMessage.structure(CatalogueFence(fence: $0, origin: .bus))
                    }), .strings(ids),
                .uint64(0),
            ], interactive: true)
        return AppliedChange(
            generation: answer.first?.asUInt64 ?? 0,
            warnings: [CatalogueNote](bus: answer.last))
    }
}

/// The result of a batch.
package struct AppliedChange {
    /// The catalogue's generation after it.
    package var generation: UInt64
    /// Fences that were accepted with a warning.
    package var warnings: [CatalogueNote]
}

extension [CatalogueNote] {
    /// From `a(ss)`.
    package init(bus value: BusValue?) {
        self = (value?.asArray ?? []).compactMap { note in
            guard let members = note.asStructure, members.count == 2,
                let fence = members[0].asString, let reason = members[1].asString
            else { return nil }
            return CatalogueNote(fence: fence, reason: reason)
        }
    }
}

extension DaemonClient {
    /// The error for an answer of a type unknown to this version.
    var unreadableAnswer: ClientError {
        .unreadable(reason: "an answer that cannot be understood", subject: busName)
    }
}
