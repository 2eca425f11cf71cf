import CSystemd
import Glibc

/// A method call that waits for its answer, which may be given at any later time, once. A call that
/// is let go without an answer is answered with an error, so that no client hangs.
@MainActor
package final class BusCall {
    /// The call as it came: arguments with ``BusMessage/values(limits:)``.
    package let message: BusMessage
    // sd-bus holds the answer against the signature in the vtable, by pointer
    // (sd_bus_message.enforced_reply_signature): the vtable must outlive the call.
    private let object: ExportedObject
    nonisolated(unsafe) private var answered = false

    init(_ message: BusMessage, _ object: ExportedObject) {
        self.message = message
        self.object = object
    }

    deinit {
        guard !answered else { return }
        var error = sd_bus_error()
        _ = BusError(name: BusError.failed, message: "the service did not answer").set(&error)
        sd_bus_reply_method_error(message.message, &error)
        sd_bus_error_free(&error)
    }

    /// The unique name of the caller.
    package var sender: String { message.sender ?? "" }

    /// Whether the caller lets polkit ask the user.
    package var allowsInteraction: Bool {
        sd_bus_message_get_allow_interactive_authorization(message.message) > 0
    }

    /// All arguments; the limits exceeded is answered by the caller of this with what it throws.
    package func arguments(limits: BusLimits = .standard) throws(BusError) -> [BusValue] {
        do throws(SystemError) {
            return try message.values(limits: limits)
        } catch {
            throw BusError(
                name: error.errno == E2BIG ? BusError.limitsExceeded : BusError.invalidArguments,
                message: error.description)
        }
    }

    /// Answers with the method's `outputs`. A client that has gone meanwhile does not matter;
    /// values of other types than declared are our bug, and the client is told.
    package func reply(_ values: [BusValue] = []) {
        guard !answered else { return }
        var answer: OpaquePointer?
        do throws(SystemError) {
            try check(
                sd_bus_message_new_method_return(message.message, &answer), "answering a call")
            guard let answer else { return }
            defer { sd_bus_message_unref(answer) }
            var writer = BusWriter(message: answer)
            try writer.append(values)
            let result = sd_bus_send(nil, answer, nil)
            // Such as ENOMSG, another signature than the vtable promises: the client shall know.
            // Without a connection nobody is there to.
            if result != -ENOTCONN, result != -ECONNRESET {
                try check(result, "answering with \(values.signature)")
            }
            answered = true
        } catch {
            fail(BusError(error))
        }
    }

    /// Answers with an error.
    package func fail(_ error: BusError) {
        guard !answered else { return }
        answered = true
        var reply = sd_bus_error()
        _ = error.set(&reply)
        sd_bus_reply_method_error(message.message, &reply)
        sd_bus_error_free(&reply)
    }

    /// Answers with an error.
    package func fail(_ name: String, _ message: String) {
        fail(BusError(name: name, message: message))
    }
}
