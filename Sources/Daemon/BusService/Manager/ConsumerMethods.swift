import Geofence1
import Model
import Monitoring
import Systemd

extension ManagerService {
    func consumerMethods() -> [BusMethod] {
        [
            method(.registerConsumer) { service, call, arguments in
                service.forConsumer(call, arguments[0].asString ?? "") { name, caller in
                    call.answer { try service.register(name, arguments[1], caller) }
                }
            },
            answer(.listConsumers) { service, _, _ in
                [.array(of: "(sa{sv})", try service.consumers.list())]
            },
            method(.unregisterConsumer) { service, call, arguments in
                service.forConsumer(call, arguments[0].asString ?? "") { name, _ in
                    call.answer {
                        try service.consumers.unregister(name)
                        return []
                    }
                }
            },
            method(.ackEvents) { service, call, arguments in
                service.forConsumer(call, arguments[0].asString ?? "", isItself: true) {
                    name, _ in
                    call.answer {
                        try service.acknowledge(name, arguments[1].asUInt64 ?? 0)
                    }
                }
            },
        ]
    }

    /// The caller of a consumer's method.
    private struct Caller {
        let uid: UInt32
        let managesFences: Bool
    }

    /// A consumer is registered, removed and acknowledged for by the program that owns its name, by
    /// the user who registered it, and by callers that may manage fences. Owning the name for a
    /// moment is not enough to change another user's registration, only to acknowledge
    /// (`isItself`).
    private func forConsumer(
        _ call: BusCall, _ name: String, isItself: Bool = false,
        then: @escaping (String, Caller) -> Void
    ) {
        guard Self.isWellKnownName(name) else {
            return call.fail(.invalid("\"\(name.echoed())\" is no well-known bus name"))
        }
        authorizer.identify(call) { [weak self] _, credentials in
            guard let self, let uid = credentials.uid else { return }
            if let registered = try? consumers.consumer(name), registered.uid == uid {
                return then(name, Caller(uid: uid, managesFences: false))
            }
            let place: HeldCalls.Place
            do throws(BusError) { place = try consumers.asking.keep(call, of: uid) } catch {
                return call.fail(error)
            }
            owner(of: name) { [weak self] owner in
                withExtendedLifetime(place) {}
                guard let self else { return }
                let isFree = isItself || (try? consumers.consumer(name)) == nil
                if owner == call.sender, isFree {
                    return then(name, Caller(uid: uid, managesFences: false))
                }
                authorizer.authorize(call, .manageFences) {
                    then(name, Caller(uid: uid, managesFences: true))
                }
            }
        }
    }

    /// The unique name of the program that owns a name; nil if it has no owner.
    func owner(of name: String, then: @escaping (String?) -> Void) {
        do throws(SystemError) {
            try connection.call(.bus, "GetNameOwner", [.string(name)]) { result in
                let values = try? result.get().values()
                then(values?.first?.asString)
            }
        } catch { then(nil) }
    }

    /// Options: those of a subscription, `wake` b, and `after` t, the number after which events are
    /// delivered; the present last one by default.
    private func register(
        _ name: String, _ options: BusValue, _ caller: Caller
    ) throws -> [BusValue] {
        guard !Consumers.isReserved(name) else {
            throw BusError.invalid("\"\(name.echoed())\" is no name of a consumer")
        }
        var options = options.asDictionary ?? [:]
        var after = monitoring.lastSeq
        if let value = options.removeValue(forKey: "after") {
            guard let number = value.asUInt64 else {
                throw BusError.invalid("after is no number")
            }
            after = min(after, number)
        }
        let wanted = try ConsumerOptions(takingAll: &options)
        let present = try consumers.all().filter { $0.name != name }
        guard present.count < settings.consumerLimit else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(settings.consumerLimit) consumers")
        }
        let own = present.count { $0.uid == caller.uid }
        guard caller.managesFences || own < settings.consumerLimitPerUser else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(settings.consumerLimitPerUser) consumers of one user")
        }
        try consumers.register(
            Consumer(name: name, uid: caller.uid, acknowledged: after, options: wanted.text))
        return []
    }

    private func acknowledge(_ name: String, _ seq: UInt64) throws -> [BusValue] {
        guard try consumers.consumer(name) != nil else {
            throw BusError.invalid("there is no consumer \"\(name)\"")
        }
        guard seq <= monitoring.lastSeq else {
            throw BusError.invalid("there is no event \(seq) yet")
        }
        try consumers.acknowledge(seq, name)
        return []
    }

    /// "Bus names" of the D-Bus specification, without unique names.
    private static func isWellKnownName(_ name: String) -> Bool {
        let elements = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 255 && elements.count >= 2
            && elements.allSatisfy { element in
                guard let first = element.utf8.first, !(0x30...0x39).contains(first) else {
                    return false
                }
                return element.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                        || (0x61...0x7A).contains($0) || $0 == 0x5F || $0 == 0x2D
                }
            }
    }
}
