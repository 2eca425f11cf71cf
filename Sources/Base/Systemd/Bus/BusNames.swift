import CSystemd
import Glibc

// Unsafe: the text is lent to sd-bus for the call.

/// Flags of RequestName in the D-Bus specification.
package struct BusNameFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another connection with ``replaceExisting`` may take the name.
    package static let allowReplacement = BusNameFlags(rawValue: 1)
    /// Takes the name from an owner that allows it.
    package static let replaceExisting = BusNameFlags(rawValue: 2)
    package static let doNotQueue = BusNameFlags(rawValue: 4)
}

/// The result of the request.
package enum BusNameOutcome: UInt32, Sendable {
    case owned = 1
    case queued = 2
    /// Another connection owns it.
    case taken = 3
    case alreadyOwned = 4
}

/// The identity behind a unique name, as the bus knows it from the socket.
package struct BusCredentials: Equatable, Sendable {
    /// Its user; nil when unknown to the bus.
    package let uid: UInt32?
    /// Its process; nil when unknown to the bus. It may have ended since.
    package let pid: UInt32?
    /// Primary and supplementary, ascending; empty when unknown to the bus.
    package let groups: [UInt32]

    package init(uid: UInt32?, pid: UInt32?, groups: [UInt32]) {
        self.uid = uid
        self.pid = pid
        self.groups = groups
    }
}

extension BusConnection {
    /// Requests a well-known name, without waiting. Throws if the call cannot be sent.
    package func requestName(
        _ name: String, _ flags: BusNameFlags = .doNotQueue,
        reply: @escaping @MainActor (Result<BusNameOutcome, BusError>) -> Void
    ) throws(SystemError) {
        try call(.bus, "RequestName", [.string(name), .uint32(flags.rawValue)]) { result in
            reply(result.flatMap { $0.decoded { $0.first?.asUInt32.flatMap(BusNameOutcome.init) } })
        }
    }

    /// Does not wait for the answer: the bus handles our messages in order.
    package func releaseName(_ name: String) throws(SystemError) {
        try call(.bus, "ReleaseName", [.string(name)]) { _ in }
    }

    /// Asks the bus for the credentials of `name`, without blocking as sd_bus_query_sender_creds(3)
    /// does, and without reading /proc, where the process may have been replaced.
    @discardableResult
    package func credentials(
        of name: String, reply: @escaping @MainActor (Result<BusCredentials, BusError>) -> Void
    ) throws(SystemError) -> PendingCall {
        try call(.bus, "GetConnectionCredentials", [.string(name)]) { result in
            reply(
                result.flatMap {
                    $0.decoded {
                        $0.first?.asDictionary.map { fields in
                            BusCredentials(
                                uid: fields["UnixUserID"]?.asUInt32,
                                pid: fields["ProcessID"]?.asUInt32,
                                groups: fields["UnixGroupIDs"]?.asArray?.compactMap(\.asUInt32)
                                    ?? [])
                        }
                    }
                })
        }
    }

    /// Calls `handler` from the loop with the unique name of the owner of `name`, nil if there is
    /// no owner: once soon, and at each change. A unique name without an owner never comes back.
    /// Nil also when the bus refuses to watch (it allows a connection 512 rules unless configured
    /// otherwise).
    package func watchName(
        _ name: String, handler: @escaping @MainActor (String?) -> Void
    ) throws(SystemError) -> BusSlot {
        guard unsafe sd_bus_service_name_is_valid(name) > 0 else {
            throw SystemError(operation: "watching the name \"\(name)\"", errno: EINVAL)
        }
        var match = BusMatch(
            sender: BusPeer.bus.destination, path: BusPeer.bus.path,
            interface: BusPeer.bus.interface, member: "NameOwnerChanged")
        match.firstArgument = name
        let watch = NameWatch(handler)
        return try subscribe(match) { [weak self, weak watch] error in
            // Asked only now: an owner that leaves before the rule is in place is not signalled.
            guard error == nil, let self, watch != nil else { return watch?.tell(nil) ?? () }
            _ = try? call(.bus, "GetNameOwner", [.string(name)]) { answer in
                let values = try? answer.get().values()
                watch?.tell(values?.first?.asString)
            }
        } handler: { message in
            guard let values = try? message.values(), values.count == 3,
                let owner = values[2].asString
            else { return }
            watch.tell(owner.isEmpty ? nil : owner)
        }
    }
}

/// The last value reported. Only the slot keeps it alive: without the slot nothing is reported.
@MainActor
private final class NameWatch {
    private let handler: @MainActor (String?) -> Void
    private var told: String??

    init(_ handler: @escaping @MainActor (String?) -> Void) { self.handler = handler }

    func tell(_ owner: String?) {
        guard told != .some(owner) else { return }
        told = .some(owner)
        handler(owner)
    }
}

extension BusMessage {
    /// The arguments through `decode`; an unexpected answer is an error too.
    func decoded<Value>(_ decode: ([BusValue]) -> Value?) -> Result<Value, BusError> {
        do throws(SystemError) {
            if let value = decode(try values()) { return .success(value) }
        } catch {
            return .failure(BusError(error))
        }
        return .failure(
            BusError(
                name: "org.freedesktop.DBus.Error.InvalidSignature",
                message: "unexpected answer of type \"\(signature)\""))
    }
}
