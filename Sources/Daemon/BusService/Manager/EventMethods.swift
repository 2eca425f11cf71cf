import Geofence1
import Model
import Monitoring
import Systemd

// The event log.
extension ManagerService {
    func eventMethods() -> [BusMethod] {
        [
            method(.readEvents) { service, call, arguments in
                service.readEvents(call, after: arguments[0], most: arguments[1])
            },
            method(.findEvents) { service, call, arguments in
                service.readEvents(
                    call, after: arguments[1], most: arguments[2], filter: arguments[0])
            },
        ]
    }

    /// A caller that may not read the location gets the events without it, and is not asked for a
    /// password.
    private func readEvents(
        _ call: BusCall, after: BusValue, most: BusValue, filter: BusValue? = nil
    ) {
        authorizer.check(call, .readLocation) { [weak self] withLocation in
            guard let self else { return }
            call.answer {
                try self.readEvents(
                    after: after, most: most, of: try filter.map(Self.fences) ?? [],
                    withLocation: withLocation)
            }
        }
    }

    /// The ids of a filter of `FindEvents`.
    private static func fences(of filter: BusValue) throws(BusError) -> [String] {
        var ids: [String]?
        for (name, value) in filter.asDictionary ?? [:] {
            guard name == "ids" else {
                throw .invalid("option \"\(name.echoed())\" is not known")
            }
            ids = value.asStrings
        }
        guard let ids, (1...Geofence1.mostFencesOfEvents).contains(ids.count) else {
            throw .invalid("ids must be 1 to \(Geofence1.mostFencesOfEvents) strings")
        }
        return ids
    }

    private func readEvents(
        after: BusValue, most: BusValue, of fences: [String], withLocation: Bool
    ) throws -> [BusValue] {
        let most = min(Int(most.asUInt32 ?? 0), settings.pageLimit)
        let page = try monitoring.events(
            after: after.asUInt64 ?? 0, limit: most == 0 ? settings.pageLimit : most, of: fences)
        return [
            .array(
                of: EventMessage.signature,
                page.events.map {
                    EventMessage(
                        $0, withLocation: withLocation, log: monitoring.logID(of: $0.seq)
                    ).structure
                }),
            .uint64(page.next), .bool(page.gap),
        ]
    }
}
