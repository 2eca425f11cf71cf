import CSystemd
import Glibc

// Unsafe: sd-bus lends the message for the call, and the gate lives as long as its slot.

/// How an incoming method call is handled.
package enum BusAdmission {
    /// It goes to its object.
    case pass
    /// It is answered, now or later, by the code that decided.
    case taken
    /// It is answered with this error.
    case refuse(BusError)
    /// It is never answered.
    case drop
}

@MainActor
private final class Gate {
    let decide: @MainActor (BusMessage) -> BusAdmission

    init(_ decide: @escaping @MainActor (BusMessage) -> BusAdmission) { self.decide = decide }

    /// The result for sd-bus's filter: more than 0 when no other handler shall see the message.
    func handle(_ message: OpaquePointer) -> Int32 {
        let message = unsafe BusMessage(sharing: message)
        guard unsafe sd_bus_message_is_method_call(message.message, nil, nil) > 0 else { return 0 }
        switch decide(message) {
        case .pass: return 0
        case .taken, .drop: return 1
        case .refuse(let error):
            BusCall(message).fail(error)
            return 1
        }
    }
}

extension BusConnection {
    /// Asks `decide` about every method call before it is decoded and before sd-bus looks up the
    /// object, as long as the slot lives.
    package func guardCalls(
        _ decide: @escaping @MainActor (BusMessage) -> BusAdmission
    ) throws(SystemError) -> BusSlot {
        var slot: OpaquePointer?
        let result = unsafe sd_bus_add_filter(
            bus, &slot,
            { message, userdata, _ in
                guard let message = unsafe message,
                    let gate = unsafe object(userdata, as: Gate.self)
                else { return 0 }
                nonisolated(unsafe) let lent = unsafe message
                return MainActor.assumeIsolated { unsafe gate.handle(lent) }
            }, nil)
        try check(result, "guarding calls")
        guard let slot = unsafe slot else {
            throw SystemError(operation: "guarding calls", errno: ENOMEM)
        }
        return unsafe BusSlot(adopting: slot, handler: Gate(decide))
    }
}
