import Engine
import Geofence1
import Monitoring
import Systemd

// The event log.
extension ManagerService {
    func eventMethods() -> [BusMethod] {
        [
            method(
                "ReadEvents", needs: .readEvents, in: [("after_seq", "t"), ("max", "u")],
                out: [
                    ("events", "a\(EventMessage.signature)"), ("next_seq", "t"), ("gap", "b"),
                ]
            ) { service, call, arguments in
                // A caller that may not read the location gets the events without it, and is not
                // asked for a password.
                service.authorizer.check(call, .readLocation) { withLocation in
                    call.answer {
                        try service.readEvents(arguments, withLocation: withLocation)
                    }
                }
            }
        ]
    }

    private func readEvents(
        _ arguments: [BusValue], withLocation: Bool
    ) throws -> [BusValue] {
        let most = min(Int(arguments[1].asUInt32 ?? 0), settings.pageLimit)
        let page = try monitoring.events(
            after: arguments[0].asUInt64 ?? 0, limit: most == 0 ? settings.pageLimit : most)
        return [
            .array(
                of: EventMessage.signature,
                page.events.map {
                    EventMessage($0, withLocation: withLocation, log: monitoring.logID).structure
                }),
            .uint64(page.next), .bool(page.gap),
        ]
    }
}
