import Geofence1
import Systemd

extension ManagerService {
    func subscriptionMethods() -> [BusMethod] {
        [
            method(.createSubscription) { service, call, arguments in
                // Remembered, so that its leaving is noticed.
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
    /// An `a{sv}` without other options.
    init(options: BusValue) throws {
        var options = options.asDictionary ?? [:]
        try self.init(takingAll: &options)
    }

    /// - Throws: what is wrong, as reported to a caller; an unknown option is an error.
    init(takingAll options: inout [String: BusValue]) throws {
        do throws(FenceProblem) {
            try self.init(taking: &options)
        } catch { throw BusError.invalid(error.description) }
        try options.refuseAll()
    }
}

extension ConsumerOptions {
    /// - Throws: what is wrong, as reported to a caller; an unknown option is an error.
    init(takingAll options: inout [String: BusValue]) throws {
        do throws(FenceProblem) {
            try self.init(taking: &options)
        } catch { throw BusError.invalid(error.description) }
        try options.refuseAll()
    }
}

extension [String: BusValue] {
    /// What is left of options that were read is not known.
    fileprivate func refuseAll() throws {
        guard let unknown = keys.min() else { return }
        throw BusError.invalid("option \"\(unknown.echoed())\" is not known")
    }
}
