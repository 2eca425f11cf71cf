import CSystemd
import Glibc

// Unsafe: the texts belong to the sd_bus_error, and are copied at once.

/// A D-Bus error: the result of a call we made, or a handler's answer.
package struct BusError: Error, Hashable, CustomStringConvertible {
    /// Such as "org.freedesktop.DBus.Error.NoReply".
    package let name: String
    /// A sentence for people; may be empty.
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// Arguments that could not be read: too large, or not a valid D-Bus message.
    package init(reading error: SystemError) {
        self.init(
            name: error.errno == E2BIG ? Self.limitsExceeded : Self.invalidArguments,
            message: error.description)
    }

    /// A failure on this side of the bus while answering a call.
    package init(_ error: SystemError) {
        let limit = error.errno == EMSGSIZE || error.errno == E2BIG
        self.init(name: limit ? Self.limitsExceeded : Self.failed, message: error.description)
    }

    package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

    /// The general error, with nothing but a message.
    package static let failed = "org.freedesktop.DBus.Error.Failed"
    /// Arguments of the wrong type, or with impossible values.
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    /// No object at this path.
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    /// The caller may not do this.
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    /// A limit of the bus or of the service has been reached.
    package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// No answer has come in time.
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    /// The same, as sd-bus says it of a call that was waited for.
    package static let timedOut = "org.freedesktop.DBus.Error.Timeout"
    /// The name has no owner and cannot be started.
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// The name has no owner at the moment.
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"

    /// The error a message carries; nil if it is not an error.
    init?(_ error: UnsafePointer<sd_bus_error>?) {
        guard let error = unsafe error, let name = unsafe error.pointee.name else { return nil }
        unsafe self.init(
            name: String(cString: name),
            message: error.pointee.message.map { unsafe String(cString: $0) } ?? "")
    }

    /// Passes the error to sd-bus, which copies it; returns the callback's result.
    func set(_ target: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
        unsafe sd_bus_error_set(
            target, name, message.echoed(upTo: Self.longestMessage).carriedByBus)
    }

    /// Bytes: a peer's text must not be returned at any length.
    private static let longestMessage = 4096
}

extension String {
    /// Another program's text, safe for an error or the log: at most `limit` bytes, without
    /// characters that a terminal interprets; line breaks stay.
    package func echoed(upTo limit: Int = 96) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && scalar != "\n"
        }
        if utf8.count <= limit, !unicodeScalars.contains(where: isControl) { return self }
        var text = String.UnicodeScalarView()
        var size = 0
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= limit else {
                text.append("…")
                break
            }
            text.append(isControl(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }
}
