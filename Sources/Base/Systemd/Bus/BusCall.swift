import CSystemd
import Glibc

// Unsafe: the call's message is held by a reference until it is answered; the vtable that it is
// checked against outlives it.

/// A method call that waits for its answer, which may be given once, at any later time. A call that
/// is dropped without an answer is answered with an error, so that no client hangs.
@MainActor
package final class BusCall {
    /// The call as received: arguments with ``BusMessage/values(limits:)``.
    package let message: BusMessage
    // sd-bus checks the answer against the signature in the vtable, by pointer
    // (sd_bus_message.enforced_reply_signature): the vtable must outlive the call.
    private let object: ExportedObject?
    nonisolated(unsafe) private var answered = false
    /// Called once, with the approximate size of the answer in bytes; not if no answer is expected.
    package var onAnswered: (Int) -> Void = { _ in }

    /// A call of a method that is in no vtable: its answer is not checked.
    package convenience init(_ message: BusMessage) { self.init(message, nil) }

    init(_ message: BusMessage, _ object: ExportedObject?) {
        self.message = message
        self.object = object
    }

    deinit {
        guard unsafe !answered else { return }
        var error = unsafe sd_bus_error()
        _ = unsafe BusError(name: BusError.failed, message: "the service did not answer").set(
            &error)
        unsafe sd_bus_reply_method_error(message.message, &error)
        unsafe sd_bus_error_free(&error)
    }

    /// The unique name of the caller.
    package var sender: String { message.sender ?? "" }

    /// Whether the caller lets polkit ask the user.
    package var allowsInteraction: Bool {
        unsafe sd_bus_message_get_allow_interactive_authorization(message.message) > 0
    }

    /// All arguments; exceeded limits are thrown as the error to answer with.
    package func arguments(limits: BusLimits = .call) throws(BusError) -> [BusValue] {
        do throws(SystemError) {
            return try message.values(limits: limits)
        } catch { throw BusError(reading: error) }
    }

    /// Answers with the method's `outputs`. A client that has disconnected meanwhile is ignored;
    /// values of other types than declared are our bug, and are reported to the client.
    package func reply(_ values: [BusValue] = []) {
        guard unsafe !answered else { return }
        var answer: OpaquePointer?
        do throws(SystemError) {
            try unsafe check(
                sd_bus_message_new_method_return(message.message, &answer), "answering a call")
            guard let answer = unsafe answer else { return }
            defer { unsafe sd_bus_message_unref(answer) }
            var writer = unsafe BusWriter(message: answer)
            try writer.append(values)
            let result = unsafe sd_bus_send(nil, answer, nil)
            // Such as ENOMSG, when the signature differs from the vtable's: reported to the client,
            // unless there is no connection.
            if result != -ENOTCONN, result != -ECONNRESET {
                try check(result, "answering with \(values.signature)")
            }
            unsafe answered = true
            if message.expectsReply { onAnswered(writer.size + Self.headerSize) }
        } catch {
            fail(BusError(error))
        }
    }

    /// Answers with an error.
    package func fail(_ error: BusError) {
        guard unsafe !answered else { return }
        unsafe answered = true
        var reply = unsafe sd_bus_error()
        _ = unsafe error.set(&reply)
        unsafe sd_bus_reply_method_error(message.message, &reply)
        unsafe sd_bus_error_free(&reply)
        if message.expectsReply {
            onAnswered(error.message.utf8.count + error.name.utf8.count + Self.headerSize)
        }
    }

    /// The overhead of a message that waits in the bus, bytes: its header, and what dbus-daemon
    /// stores beside it.
    private static let headerSize = 256

    /// Answers with an error.
    package func fail(_ name: String, _ message: String) {
        fail(BusError(name: name, message: message))
    }
}
