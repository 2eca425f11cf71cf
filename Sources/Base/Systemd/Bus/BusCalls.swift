import CSystemd
import Glibc
package import Time

// Unsafe: messages and slots are released once; a callback gets the call that its slot keeps alive.

/// The destination of a call.
package struct BusPeer: Hashable, Sendable {
    /// Well-known or unique bus name.
    package let destination: String
    /// Object path.
    package let path: String
    /// Interface name.
    package let interface: String

    package init(destination: String, path: String, interface: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
    }

    /// The bus itself.
    package static let bus = BusPeer(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus")
}

/// A call that has no answer yet. Dropping this handle has no effect.
@MainActor
package final class PendingCall {
    fileprivate var reply: (@MainActor (Result<BusMessage, BusError>) -> Void)?

    fileprivate init(_ reply: @escaping @MainActor (Result<BusMessage, BusError>) -> Void) {
        self.reply = reply
    }

    /// The answer is no longer of interest: the closure is released and never called.
    package func cancel() { reply = nil }

    fileprivate func answered(_ message: OpaquePointer) {
        guard let reply else { return }
        self.reply = nil
        if let error = unsafe BusError(sd_bus_message_get_error(message)) {
            reply(.failure(error))
        } else {
            unsafe reply(.success(BusMessage(sharing: message)))
        }
    }
}

extension BusConnection {
    /// Calls a method; `reply` is called once from the loop, with the answer or with an error,
    /// after `timeout` at the latest, and when the connection is lost. It is never called after
    /// ``close()`` or when the connection is dropped. `interactive` lets polkit ask the user; without
    /// `activates` the bus starts nothing for it.
    @discardableResult
    package func call(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue] = [],
        timeout: TimeSpan = .seconds(25), interactive: Bool = false, activates: Bool = true,
        reply: @escaping @MainActor (Result<BusMessage, BusError>) -> Void
    ) throws(SystemError) -> PendingCall {
        let message = try methodCall(peer, member, arguments, interactive)
        if !activates {
            try unsafe check(
                sd_bus_message_set_auto_start(message.message, 0), "calling \(member)")
        }
        let pending = PendingCall(reply)
        var slot: OpaquePointer?
        let result = unsafe sd_bus_call_async(
            bus, &slot, message.message,
            { message, userdata, _ in
                guard let message = unsafe message,
                    let pending = unsafe object(userdata, as: PendingCall.self)
                else {
                    return 0
                }
                nonisolated(unsafe) let lent = unsafe message
                MainActor.assumeIsolated { unsafe pending.answered(lent) }
                return 1
            }, nil, max(1, microseconds(timeout)))
        try check(result, "calling \(member) of \(peer.destination)")
        guard let slot = unsafe slot else { return pending }
        unsafe attach(pending, to: slot)
        // The bus keeps the slot until the answer has come, even if `pending` is dropped.
        unsafe sd_bus_slot_set_floating(slot, 1)
        unsafe sd_bus_slot_unref(slot)
        return pending
    }

    /// Calls a method and waits for the answer, up to `timeout`. Blocks: for the tool, never for
    /// the daemon.
    package func callAndWait(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue] = [],
        timeout: TimeSpan = .seconds(25), interactive: Bool = false
    ) throws(BusError) -> BusMessage {
        let message: BusMessage
        do throws(SystemError) {
            message = try methodCall(peer, member, arguments, interactive)
        } catch { throw BusError(error) }
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        var answer: OpaquePointer?
        let result = unsafe sd_bus_call(
            bus, message.message, max(1, microseconds(timeout)), &error, &answer)
        if let failure = unsafe BusError(&error) { throw failure }
        guard result >= 0, let answer = unsafe answer else {
            throw BusError(
                SystemError(operation: "calling \(member) of \(peer.destination)", errno: -result))
        }
        // Messages received meanwhile, such as pings, are answered.
        while unsafe sd_bus_process(bus, nil) > 0 {}
        return unsafe BusMessage(adopting: answer)
    }

    private func methodCall(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue], _ interactive: Bool
    ) throws(SystemError) -> BusMessage {
        var message: OpaquePointer?
        let operation = "calling \(member) of \(peer.destination)"
        try unsafe check(
            sd_bus_message_new_method_call(
                bus, &message, peer.destination, peer.path, peer.interface, member), operation)
        guard let message = unsafe message else {
            throw SystemError(operation: operation, errno: ENOMEM)
        }
        let call = unsafe BusMessage(adopting: message)
        var writer = unsafe BusWriter(message: message)
        try writer.append(arguments)
        if interactive {
            try unsafe check(
                sd_bus_message_set_allow_interactive_authorization(message, 1), operation)
        }
        return call
    }
}
