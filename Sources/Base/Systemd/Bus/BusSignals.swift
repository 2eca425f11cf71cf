import CSystemd
import Glibc

// Unsafe: messages and slots are released once; callbacks get an object that lives as long as its
// slot.

/// Which signals to receive; nil matches everything.
package struct BusMatch: Equatable, Sendable {
    /// Bus name of the sender. Certain if it is a unique name, or that of the bus. The bus picks its
    /// broadcasts by any other name too, but nobody checks it in a signal that a program sends to
    /// us directly: compare ``BusMessage/sender`` with the owner before you believe that.
    package var sender: String?
    /// Object path.
    package var path: String?
    /// Interface name.
    package var interface: String?
    /// Name of the signal.
    package var member: String?
    /// Its first argument, a string.
    package var firstArgument: String?

    package init(
        sender: String? = nil, path: String? = nil, interface: String? = nil, member: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
    }

    /// A signal of sd-bus about the connection itself, without a rule on the bus.
    static func local(_ member: String) -> BusMatch {
        BusMatch(
            sender: "org.freedesktop.DBus.Local", path: "/org/freedesktop/DBus/Local",
            interface: "org.freedesktop.DBus.Local", member: member)
    }

    /// The sender that every message must have; nil if that is not certain. sd-bus takes a message
    /// of any unique name for one of any well-known name, even of that of the bus.
    fileprivate var certainSender: String? {
        guard let sender, sender.hasPrefix(":") || sender == BusPeer.bus.destination else {
            return nil
        }
        return sender
    }

    /// In the form of AddMatch. EINVAL for a quote or a backslash, which the bus and sd-bus
    /// interpret differently and which no name, path or member contains.
    func rule() throws(SystemError) -> String {
        let parts = [
            ("sender", sender), ("path", path), ("interface", interface), ("member", member),
            ("arg0", firstArgument),
        ]
        var rule = "type='signal'"
        for case (let key, let value?) in parts {
            guard !value.utf8.contains(where: { $0 == 0x27 || $0 == 0x5C || $0 == 0 }) else {
                throw SystemError(operation: "subscribing to \(key) \"\(value)\"", errno: EINVAL)
            }
            rule += ",\(key)='\(value)'"
        }
        return rule
    }
}

/// A signal of an object.
package struct BusSignal: Hashable, Sendable {
    // As C strings: a sender keeps a signal that it sends repeatedly.
    fileprivate let path: [CChar]
    fileprivate let interface: [CChar]
    fileprivate let member: [CChar]
    fileprivate let name: String

    package init(path: String, interface: String, member: String) {
        self.path = Array(path.utf8CString)
        self.interface = Array(interface.utf8CString)
        self.member = Array(member.utf8CString)
        name = member
    }

    fileprivate var operation: String { "emitting \(name)" }
}

@MainActor
private final class SignalHandler {
    /// The only one to be heard; nil: every sender that matches.
    private let sender: String?
    private let handler: @MainActor (BusMessage) -> Void
    var installed: (@MainActor (BusError?) -> Void)?

    init(
        _ sender: String?, _ handler: @escaping @MainActor (BusMessage) -> Void,
        _ installed: (@MainActor (BusError?) -> Void)?
    ) {
        self.sender = sender
        self.handler = handler
        self.installed = installed
    }

    func heard(_ message: BusMessage) {
        guard sender == nil || message.sender == sender else { return }
        handler(message)
    }
}

extension BusConnection {
    /// Calls `handler` with every matching signal, as long as the slot lives. `installed` reports
    /// when the bus has accepted the rule, or why it has not.
    package func subscribe(
        _ match: BusMatch, installed: (@MainActor (BusError?) -> Void)? = nil,
        handler: @escaping @MainActor (BusMessage) -> Void
    ) throws(SystemError) -> BusSlot {
        var slot: OpaquePointer?
        let rule = try match.rule()
        let result = unsafe sd_bus_add_match_async(
            bus, &slot, rule,
            { message, userdata, _ in
                guard let message = unsafe message,
                    let handler = unsafe object(userdata, as: SignalHandler.self)
                else {
                    return 0
                }
                nonisolated(unsafe) let lent = unsafe message
                MainActor.assumeIsolated { unsafe handler.heard(BusMessage(sharing: lent)) }
                return 0  // Others may match it too.
            },
            { message, userdata, _ in
                guard let message = unsafe message,
                    let handler = unsafe object(userdata, as: SignalHandler.self)
                else {
                    return 0
                }
                nonisolated(unsafe) let lent = unsafe message
                MainActor.assumeIsolated {
                    unsafe handler.installed?(BusError(sd_bus_message_get_error(lent)))
                    handler.installed = nil
                }
                return 1
            }, nil)
        try check(result, "subscribing to \(rule)")
        guard let slot = unsafe slot else {
            throw SystemError(operation: "subscribing to \(rule)", errno: ENOMEM)
        }
        return unsafe BusSlot(
            adopting: slot, handler: SignalHandler(match.certainSender, handler, installed))
    }

    /// Sends a signal, to everybody or to one `destination`. ENOBUFS when ``queueLimit`` messages
    /// wait already; ENOTCONN when the bus is lost. Returns the approximate number of bytes sent.
    @discardableResult
    package func emit(
        _ signal: BusSignal, _ arguments: [BusValue], to destination: String? = nil
    ) throws(SystemError) -> Int {
        guard queuedMessages < queueLimit else {
            throw SystemError(operation: signal.operation, errno: ENOBUFS)
        }
        var message: OpaquePointer?
        try unsafe check(
            sd_bus_message_new_signal(
                bus, &message, signal.path, signal.interface, signal.member), signal.operation)
        guard let message = unsafe message else {
            throw SystemError(operation: signal.operation, errno: ENOMEM)
        }
        defer { unsafe sd_bus_message_unref(message) }
        if let destination {
            try unsafe check(sd_bus_message_set_destination(message, destination), signal.operation)
        }
        var writer = unsafe BusWriter(message: message)
        try writer.append(arguments)
        unsafe try check(sd_bus_send(bus, message, nil), signal.operation)
        return writer.size + 256
    }
}
