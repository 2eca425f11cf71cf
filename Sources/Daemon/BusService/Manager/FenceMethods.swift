import Engine
import Geodesy
import Geofence1
import Monitoring
import Systemd

// The catalogue.
extension ManagerService {
    func fenceMethods() -> [BusMethod] {
        [
            call(
                "ApplyFences",
                in: [("upserts", "a(sa{sv})"), ("remove_ids", "as"), ("flags", "t")],
                out: [("generation", "t"), ("warnings", "a(ss)")]
            ) { service, call in
                service.authorizer.authorize(call, .manageFences) { [weak service] in
                    service?.imports.whenFree(call) { [weak service] in
                        guard let service else { return }
                        call.answer { try service.applyFences(call.message) }
                    }
                }
            },
            method("GetFence", needs: .readEvents, in: [("id", "s")], out: [("fence", "a{sv}")]) {
                service, call, arguments in
                call.answer { try service.getFence(arguments) }
            },
            method(
                "ListFences", needs: .readEvents,
                in: [("filter", "a{sv}"), ("offset", "u"), ("max", "u")],
                out: [("fences", "a(sa{sv})")]
            ) { service, call, arguments in
                call.answer { try service.listFences(arguments) }
            },
        ]
    }

    /// Bytes of one `ApplyFences`; larger sets go through `ImportFences`, which takes them in
    /// portions.
    private static let applyBytes = 4 << 20
    /// Values of one fence of it; a geometry is one.
    private static let fenceValues = 20_000

    /// Fence by fence: the values of all of them at once would take many times their bytes.
    private func applyFences(_ message: BusMessage) throws -> [BusValue] {
        guard message.size(upTo: Self.applyBytes) != nil else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(Self.applyBytes >> 20) MiB of fences in one batch: "
                    + "larger sets go through ImportFences")
        }
        // One turn of the loop: all of them together may cost what one of a file may.
        var budget = AreaBudget.geometry
        var fences: [Fence] = []
        var removals: [String] = []
        func check() throws(BusError) {
            guard fences.count + removals.count <= settings.batchLimit else {
                throw BusError(
                    name: BusError.limitsExceeded,
                    message: "more than \(settings.batchLimit) fences in one batch")
            }
        }
        do {
            var arguments = try BusArguments(
                message, limits: BusLimits(values: Self.fenceValues, bytes: 2 * Self.applyBytes))
            try arguments.forEach(of: FenceMessage.signature) {
                fences.append(try Self.fence($0, within: &budget))
                try check()
            }
            try arguments.forEach(of: "s") {
                removals.append($0.asString ?? "")
                try check()
            }
            guard try arguments.next()?.asUInt64 == 0 else {
                throw BusError.invalid("flags: none is known")
            }
        } catch let error as SystemError { throw BusError(reading: error) }
        let change = try tracking.apply(upserts: fences, removing: removals, at: now)
        return [.uint64(change.generation), .notes(change.warnings)]
    }

    /// A refused entry is named; the batch is untouched.
    private static func fence(
        _ structure: BusValue, within budget: inout AreaBudget
    ) throws -> Fence {
        guard let members = structure.asStructure, members.count == 2,
            let id = members[0].asString, let properties = members[1].asDictionary
        else { throw BusError.invalid("a fence is (sa{sv})") }
        do throws(FenceProblem) {
            return try FenceMessage.fence(id: id, properties, within: &budget)
        } catch {
            throw BusError(.invalidArea, "fence \"\(id.echoed())\": \(error.description)")
        }
    }

    private func getFence(_ arguments: [BusValue]) throws -> [BusValue] {
        let id = arguments[0].asString ?? ""
        guard let fence = try tracking.fence(id: id) else {
            throw BusError(.noSuchFence, "there is no fence \"\(id.echoed())\"")
        }
        return [FenceMessage.properties(fence.fence, origin: fence.origin)]
    }

    /// Bytes of one answer, about, beyond its first fence.
    private static let pageBytes = 1 << 20

    /// Filters: `after` s, only ids greater than this one (for a long walk: an offset is counted
    /// off anew in every call).
    private func listFences(_ arguments: [BusValue]) throws -> [BusValue] {
        let filter = arguments[0].asDictionary ?? [:]
        if let unknown = filter.keys.filter({ $0 != "after" }).min() {
            throw BusError.invalid("filter \"\(unknown.echoed())\" is not known")
        }
        let after = filter["after"]?.asString ?? ""
        let offset = Int(arguments[1].asUInt32 ?? 0)
        let most = min(Int(arguments[2].asUInt32 ?? 0), settings.listLimit)
        let fences = try tracking.fences(
            after: after, offset: offset, limit: most == 0 ? settings.listLimit : most)
        // What one turn of the loop writes; the rest is for the next call.
        var list: [BusValue] = []
        var size = 0
        for fence in fences {
            size += FenceMessage.size(fence.fence)
            guard list.isEmpty || size < Self.pageBytes else { break }
            list.append(FenceMessage.structure(fence.fence, origin: fence.origin))
        }
        return [.array(of: FenceMessage.signature, list)]
    }
}

extension BusValue {
    /// `a(ss)`
    static func notes(_ notes: [CatalogueNote]) -> BusValue {
        .array(
            of: "(ss)", notes.map { .structure([.string($0.fence), .string($0.reason)]) })
    }
}
