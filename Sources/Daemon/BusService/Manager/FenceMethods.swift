import Geodesy
import Geofence1
import Model
import Monitoring
import Systemd

// The catalogue.
extension ManagerService {
    func fenceMethods() -> [BusMethod] {
        [
            method(.applyFences) { service, call, _ in
                service.apply(call, .bus) { [.uint64($0.generation), .notes($0.warnings)] }
            },
            answer(.getFence) { service, _, arguments in try service.getFence(arguments) },
        ]
    }

    /// Changes the catalogue when it is free, and answers with `outcome`.
    func apply(
        _ call: BusCall, _ form: BatchChange.Form,
        outcome: @escaping (CatalogueChange) -> [BusValue]
    ) {
        do throws(BusError) {
            let change = try BatchChange(
                call.message, form, most: settings.batchLimit, monitoring
            ) { [hooks] in hooks.now() }
            imports.run(call) { try change.step(until: $0).map(outcome) }
        } catch { call.fail(error) }
    }

    private func getFence(_ arguments: [BusValue]) throws -> [BusValue] {
        let id = arguments[0].asString ?? ""
        guard let fence = try monitoring.fence(id: id) else {
            throw BusError(.noSuchFence, "there is no fence \"\(id.echoed())\"")
        }
        return [FenceMessage.properties(fence)]
    }
}

extension BusValue {
    /// `a(ss)`
    static func notes(_ notes: [CatalogueNote]) -> BusValue {
        .array(
            of: "(ss)", notes.map { .structure([.string($0.fence), .string($0.reason)]) })
    }
}
