import Engine
import Geodesy
import Geofence1
import JSON
import Systemd

/// A fence as the daemon tells it.
struct KnownFence {
    var fence: Fence
    /// The file of fences.d it is from; empty for one from the bus.
    var origin: String

    /// From an id and its properties.
    /// - Throws: ``Failure`` for what this version of the tool does not understand.
    init(id: String, _ properties: [String: BusValue]) throws {
        do throws(FenceProblem) {
            fence = try FenceMessage.fence(id: id, properties)
        } catch { throw Failure("cannot be understood (\(error))", "fence \"\(id)\"") }
        origin = properties["origin"]?.asString ?? ""
    }

    /// `circle`, `polygon`, `corridor`, and its size.
    var shape: String {
        switch fence.area.geometry {
        case .circle(_, let radius): "circle \(decimal(radius, 0)) m"
        case .polygons(let parts): parts.count == 1 ? "polygon" : "\(parts.count) polygons"
        case .corridor(_, let width): "corridor \(decimal(width, 0)) m"
        }
    }
}

extension Daemon {
    /// The fence with that id.
    func fence(_ id: String) throws -> KnownFence {
        let answer = try call("GetFence", [.string(id)], interactive: asksUser)
        return try KnownFence(id: id, answer.first?.asDictionary ?? [:])
    }

    /// All fences by id, a page at a time.
    func forEachPage(_ body: ([KnownFence]) throws -> Void) throws {
        var last = ""
        while true {
            let answer = try call(
                "ListFences",
                [.dictionary([("after", .string(last))]), .uint32(0), .uint32(1000)],
                interactive: asksUser)
            let page = try (answer.first?.asArray ?? []).map { structure in
                guard let members = structure.asStructure, members.count == 2,
                    let id = members[0].asString, let properties = members[1].asDictionary
                else { throw Failure("an answer that cannot be understood", busName) }
                return try KnownFence(id: id, properties)
            }
            guard let end = page.last?.fence.id, end != last else { return }
            try body(page)
            last = end
        }
    }

    /// One atomic batch.
    func apply(upserts: [Fence] = [], removing ids: [String] = []) throws -> AppliedChange {
        let answer = try call(
            "ApplyFences",
            [
                .array(
                    of: FenceMessage.signature,
                    upserts.map { FenceMessage.structure($0, origin: "") }), .strings(ids),
                .uint64(0),
            ], interactive: true)
        return AppliedChange(
            generation: answer.first?.asUInt64 ?? 0,
            warnings: [CatalogueNote](bus: answer.last))
    }
}

/// What a batch did.
struct AppliedChange {
    var generation: UInt64
    var warnings: [CatalogueNote]

    /// For people the warnings; or one object.
    @MainActor
    func say(_ invocation: Invocation) throws {
        guard invocation.isJSON else {
            for warning in warnings { StandardError.warn(warning.description) }
            return
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("generation")
        json.integer(generation)
        json.key("warnings")
        json.notes(warnings)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}

extension [CatalogueNote] {
    /// From `a(ss)`.
    init(bus value: BusValue?) {
        self = (value?.asArray ?? []).compactMap { note in
            guard let members = note.asStructure, members.count == 2,
                let fence = members[0].asString, let reason = members[1].asString
            else { return nil }
            return CatalogueNote(fence: fence, reason: reason)
        }
    }
}

extension JSONWriter {
    /// `[{"fence":…,"reason":…}]`
    mutating func notes(_ notes: [CatalogueNote]) {
        beginArray()
        for note in notes {
            beginObject()
            key("fence")
            string(note.fence)
            key("reason")
            string(note.reason)
            endObject()
        }
        endArray()
    }
}
