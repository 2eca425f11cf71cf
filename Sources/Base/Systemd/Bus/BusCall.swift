import CSystemd
import Glibc

// Unsafe: the call's message is held by a reference until it was answered; the vtable it is
// checked by outlives it.

/// A method call that waits for its answer, which may be given at any later time, once. A call that
/// is let go without an answer is answered with an error, so that no client hangs.
@MainActor
package final class BusCall {
    /// The call as it came: arguments with ``BusMessage/values(limits:)``.
    package let message: BusMessage
    // sd-bus holds the answer against the signature in the vtable, by pointer
    // (sd_bus_message.enforced_reply_signature): the vtable must outlive the call.
    private let object: ExportedObject?
    nonisolated(unsafe) private var answered = false
    /// Told once, with the bytes of the answer, about; not where no answer is waited for.
    package var onAnswered: (Int) -> Void = { _ in }

    /// A call of a method that is declared in no vtable: its answer is not held against one.
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

    /// All arguments; the limits exceeded is answered by the caller of this with what it throws.
    package func arguments(limits: BusLimits = .call) throws(BusError) -> [BusValue] {
        do throws(SystemError) {
            return try message.values(limits: limits)
        } catch { throw BusError(reading: error) }
    }

    /// Answers with the method's `outputs`. A client that has gone meanwhile does not matter;
    /// values of other types than declared are our bug, and the client is told.
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
            // Such as ENOMSG, another signature than the vtable promises: the client shall know.
            // Without a connection nobody is there to.
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

    /// Of a message that a program has not read yet, bytes in the bus: its header, and what
    /// dbus-daemon keeps beside it.
    private static let headerSize = 256

    /// Answers with an error.
    package func fail(_ name: String, _ message: String) {
        fail(BusError(name: name, message: message))
    }
}
