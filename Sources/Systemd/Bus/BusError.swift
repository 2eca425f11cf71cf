import CSystemd
import Glibc

/// An error as D-Bus tells it: what a call out came back with, or what a handler answers.
package struct BusError: Error, Equatable, CustomStringConvertible {
    /// Such as "org.freedesktop.DBus.Error.NoReply".
    package let name: String
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// What a call cannot be answered with for a reason on this side of the bus.
    package init(_ error: SystemError) {
        let limit = error.errno == EMSGSIZE || error.errno == E2BIG
        self.init(name: limit ? Self.limitsExceeded : Self.failed, message: error.description)
    }

    package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

    package static let failed = "org.freedesktop.DBus.Error.Failed"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"

    /// The error a message carries, nil when it is none.
    init?(_ error: UnsafePointer<sd_bus_error>?) {
        guard let error, let name = error.pointee.name else { return nil }
        self.init(
            name: String(cString: name),
            message: error.pointee.message.map { String(cString: $0) } ?? "")
    }

    /// Hands the error to sd-bus, which copies it; gives what a callback returns then.
    func set(_ target: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
        sd_bus_error_set(target, name, message.carriedByBus)
    }
}
