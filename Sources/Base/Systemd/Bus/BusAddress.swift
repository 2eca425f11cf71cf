import Glibc

/// The bus to connect to.
package enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// DBUS_SYSTEM_BUS_ADDRESS, otherwise the standard socket.
    case system
    /// DBUS_SESSION_BUS_ADDRESS, otherwise `bus` in XDG_RUNTIME_DIR.
    case session
    /// As in https://dbus.freedesktop.org/doc/dbus-specification.html#addresses: `unix:path=…`.
    case address(String)

    /// As users write it: `system`, `session`, or an address, which has a colon. Nil for anything
    /// else.
    package init?(named text: String) {
        switch text {
        case "system": self = .system
        case "session": self = .session
        default:
            guard text.contains(":") else { return nil }
            self = .address(text)
        }
    }

    /// Why ``init(named:)`` refuses a text, for the message.
    package static let flaw = "neither system nor session nor a bus address"

    /// For error messages.
    package var description: String {
        switch self {
        case .system: "the system bus"
        case .session: "the session bus"
        case .address(let address): address
        }
    }

    func resolved() throws(SystemError) -> String {
        switch self {
        case .system:
            return environment("DBUS_SYSTEM_BUS_ADDRESS")
                ?? "unix:path=/run/dbus/system_bus_socket"
        case .session:
            if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
            guard let directory = environment("XDG_RUNTIME_DIR") else {
                throw SystemError(operation: "finding the session bus", errno: ENOMEDIUM)
            }
            return "unix:path=\(directory)/bus"
        case .address(let address):
            return address
        }
    }
}
