import Geofence1
import Systemd

extension ManagerService {
    func subscriptionMethods() -> [BusMethod] {
        [
            method(
                "CreateSubscription", needs: .readEvents, in: [("options", "a{sv}")],
                out: [("subscription", "o")], limits: EventFilter.limits
            ) { service, call, arguments in
                // Known, so that it is seen when it goes.
                guard let client = service.clients.known(call.sender) else { return }
                call.answer {
                    let filter = try EventFilter(options: arguments[0])
                    let subscription = try service.subscriptions.create(for: client, filter)
                    return [.objectPath(subscription.path)]
                }
            }
        ]
    }
}

extension EventFilter {
    /// What is kept of one subscription or consumer, for as long as it is there.
    static let limits = BusLimits(values: 4000, bytes: 16 << 10)

    /// Of an `a{sv}` with nothing else in it.
    init(options: BusValue) throws {
        var options = options.asDictionary ?? [:]
        try self.init(takingAll: &options)
    }

    /// - Throws: what is wrong, as a caller is told; an option that is not known is wrong.
    init(takingAll options: inout [String: BusValue]) throws {
        do throws(FenceProblem) {
            try self.init(taking: &options)
        } catch { throw BusError.invalid(error.description) }
        if let unknown = options.keys.min() {
            throw BusError.invalid("option \"\(unknown.echoed())\" is not known")
        }
    }
}
