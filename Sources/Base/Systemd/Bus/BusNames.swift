import CSystemd
import Glibc

// Unsafe: the text is lent to sd-bus for the call.

/// How a name is asked for, as RequestName of the D-Bus specification.
package struct BusNameFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another connection with ``replaceExisting`` may take the name.
    package static let allowReplacement = BusNameFlags(rawValue: 1)
    /// Takes the name from an owner that allows it.
    package static let replaceExisting = BusNameFlags(rawValue: 2)
    package static let doNotQueue = BusNameFlags(rawValue: 4)
}

/// What became of it.
package enum BusNameOutcome: UInt32, Sendable {
    case owned = 1
    case queued = 2
    /// Somebody else has it.
    case taken = 3
    case alreadyOwned = 4
}

/// Who is behind a unique name, as the bus knows from its socket.
package struct BusCredentials: Equatable, Sendable {
    /// Its user; nil when the bus does not say.
    package let uid: UInt32?
    /// Its process; nil when the bus does not say. May have ended since.
    package let pid: UInt32?
    /// Primary and supplementary, ascending; empty when the bus does not tell.
    package let groups: [UInt32]

    package init(uid: UInt32?, pid: UInt32?, groups: [UInt32]) {
        self.uid = uid
        self.pid = pid
        self.groups = groups
    }
}

extension BusConnection {
    /// Asks the bus for a well-known name, without waiting. Throws where the call cannot be sent.
    package func requestName(
        _ name: String, _ flags: BusNameFlags = .doNotQueue,
        reply: @escaping @MainActor (Result<BusNameOutcome, BusError>) -> Void
    ) throws(SystemError) {
        try call(.bus, "RequestName", [.string(name), .uint32(flags.rawValue)]) { result in
            reply(result.flatMap { $0.decoded { $0.first?.asUInt32.flatMap(BusNameOutcome.init) } })
        }
    }

    /// Nobody waits for the answer: the bus handles our messages in order.
    package func releaseName(_ name: String) throws(SystemError) {
        try call(.bus, "ReleaseName", [.string(name)]) { _ in }
    }

    /// Asks the bus who `name` is, without waiting for it as sd_bus_query_sender_creds(3) does, and
    /// without looking into /proc, where the process may be another by now.
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

    /// Calls `handler` from the loop with the unique name of whoever owns `name`, nil for nobody:
    /// once soon, and at each change. A unique name that is nobody's is gone for ever. Nil too when
    /// the bus refuses to watch (it allows a connection 512 rules unless configured otherwise).
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
            // Asked only now: who goes before the rule is in place is not signalled any more.
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

/// What was told last. The slot keeps it alive, nothing else: without it nothing is told.
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
    /// The arguments through `decode`; an answer that is not as expected is an error too.
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
