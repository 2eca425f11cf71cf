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
        ]
    }

    private func applyFences(_ message: BusMessage) throws -> [BusValue] {
        var reader = try FenceBatch.Reader(message, most: settings.batchLimit)
        let batch = try reader.batch()
        guard try reader.next()?.asUInt64 == 0 else {
            throw BusError.invalid("flags: none is known")
        }
        let change = try tracking.apply(
            upserts: batch.upserts, removing: batch.removals, at: now)
        return [.uint64(change.generation), .notes(change.warnings)]
    }

    private func getFence(_ arguments: [BusValue]) throws -> [BusValue] {
        let id = arguments[0].asString ?? ""
        guard let fence = try tracking.fence(id: id) else {
            throw BusError(.noSuchFence, "there is no fence \"\(id.echoed())\"")
        }
        return [FenceMessage.properties(fence.fence, origin: fence.origin.name)]
    }
}

extension BusValue {
    /// `a(ss)`
    static func notes(_ notes: [CatalogueNote]) -> BusValue {
        .array(
            of: "(ss)", notes.map { .structure([.string($0.fence), .string($0.reason)]) })
    }
}
