import Fencing
import Geofence1
import Systemd
import Tracking

// The catalogue.
extension ManagerService {
    func fenceMethods() -> [BusMethod] {
        [
            method(
                "ApplyFences",
                in: [("upserts", "a(sa{sv})"), ("remove_ids", "as"), ("flags", "t")],
                out: [("generation", "t"), ("warnings", "a(ss)")]
            ) { service, call, arguments in
                service.authorizer.authorize(call, .manageFences) {
                    service.imports.whenFree(call) { [weak service] in
                        guard let service else { return }
                        call.answer { try service.applyFences(arguments) }
                    }
                }
            },
            method("GetFence", in: [("id", "s")], out: [("fence", "a{sv}")]) {
                service, call, arguments in
                call.answer { try service.getFence(arguments) }
            },
            method(
                "ListFences", in: [("filter", "a{sv}"), ("offset", "u"), ("max", "u")],
                out: [("fences", "a(sa{sv})")]
            ) { service, call, arguments in
                call.answer { try service.listFences(arguments) }
            },
        ]
    }

    private func applyFences(_ arguments: [BusValue]) throws -> [BusValue] {
        let upserts = arguments[0].asArray ?? []
        let removals = arguments[1].asStrings ?? []
        guard arguments[2].asUInt64 == 0 else {
            throw BusError.invalid("flags: none is known")
        }
        guard upserts.count + removals.count <= settings.batchLimit else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(settings.batchLimit) fences in one batch")
        }
        let fences = try upserts.map { try Self.fence($0) }
        let change = try tracking.apply(upserts: fences, removing: removals, at: now)
        return [.uint64(change.generation), .notes(change.warnings)]
    }

    /// A refused entry is named; the batch is untouched.
    private static func fence(_ structure: BusValue) throws -> Fence {
        guard let members = structure.asStructure, members.count == 2,
            let id = members[0].asString, let properties = members[1].asDictionary
        else { throw BusError.invalid("a fence is (sa{sv})") }
        do throws(FenceProblem) {
            return try FenceMessage.fence(id: id, properties)
        } catch {
            throw BusError(.invalidArea, "fence \"\(id)\": \(error.description)")
        }
    }

    private func getFence(_ arguments: [BusValue]) throws -> [BusValue] {
        let id = arguments[0].asString ?? ""
        guard let fence = try tracking.fence(id: id) else {
            throw BusError(.noSuchFence, "there is no fence \"\(id)\"")
        }
        return [FenceMessage.properties(fence.fence, origin: fence.origin)]
    }

    /// Filters: `after` s, only ids greater than this one (for a long walk: an offset is counted
    /// off anew in every call).
    private func listFences(_ arguments: [BusValue]) throws -> [BusValue] {
        let filter = arguments[0].asDictionary ?? [:]
        if let unknown = filter.keys.filter({ $0 != "after" }).min() {
            throw BusError.invalid("filter \"\(unknown)\" is not known")
        }
        let after = filter["after"]?.asString ?? ""
        let offset = Int(arguments[1].asUInt32 ?? 0)
        let most = min(Int(arguments[2].asUInt32 ?? 0), settings.listLimit)
        let fences = try tracking.fences(
            after: after, offset: offset, limit: most == 0 ? settings.listLimit : most)
        // A bus carries 32 MiB in one message; the rest is for the next call.
        var list: [BusValue] = []
        var size = 0
        for fence in fences {
            size += FenceMessage.size(fence.fence)
            guard list.isEmpty || size < 8 << 20 else { break }
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
