import CSystemd

/// How a name is asked for, as RequestName of the D-Bus specification.
package struct BusNameFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let allowReplacement = BusNameFlags(rawValue: 1)
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
    package let uid: UInt32?
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

    /// Calls `handler` with the new owner of `name` (nil: it has none now) at each change; a unique
    /// name is gone for ever then.
    package func watchName(
        _ name: String, handler: @escaping @MainActor (String?) -> Void
    ) throws(SystemError) -> BusSlot {
        var match = BusMatch(
            sender: BusPeer.bus.destination, path: BusPeer.bus.path,
            interface: BusPeer.bus.interface, member: "NameOwnerChanged")
        match.firstArgument = name
        return try subscribe(match) { message in
            guard let values = try? message.values(), values.count == 3,
                let owner = values[2].asString
            else { return }
            handler(owner.isEmpty ? nil : owner)
        }
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
