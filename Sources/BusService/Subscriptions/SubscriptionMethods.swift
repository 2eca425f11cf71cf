import Geofence1
import Systemd

extension ManagerService {
    func subscriptionMethods() -> [BusMethod] {
        [
            method(
                "CreateSubscription", in: [("options", "a{sv}")], out: [("subscription", "o")]
            ) { service, call, arguments in
                // Known before it owns something, so that it is seen when it goes.
                let client: Client
                do throws(BusError) {
                    client = try service.clients.client(call.sender)
                } catch { return call.fail(error) }
                service.clients.credentials(of: client) { credentials in
                    guard credentials != nil else { return }
                    call.answer {
                        let filter = try EventFilter(options: arguments[0])
                        let subscription = try service.subscriptions.create(for: client, filter)
                        return [.objectPath(subscription.path)]
                    }
                }
            }
        ]
    }
}

extension EventFilter {
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
            throw BusError.invalid("option \"\(unknown)\" is not known")
        }
    }
}
