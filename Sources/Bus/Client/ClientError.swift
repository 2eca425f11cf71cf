package import Geofence1
package import Systemd

/// Why a call of the daemon failed.
package enum ClientError: Error, Hashable, CustomStringConvertible {
    /// The bus cannot be reached.
    case noBus(SystemError, bus: String)
    /// A call that was answered with an error, or not at all.
    case call(BusError, member: String, bus: String)
    /// An answer that this version does not understand; `subject` is what it was about.
    case unreadable(reason: String, subject: String)

    /// The error from the bus or the daemon; nil if no call was made.
    private var error: BusError? {
        if case .call(let error, _, _) = self { error } else { nil }
    }

    /// Whether it is this error of the daemon.
    package func `is`(_ failure: Geofence1.Failure) -> Bool { error?.name == failure.name }

    /// The caller is not authorized.
    package var isDenied: Bool {
        self.is(.notAuthorized) || error?.name == BusError.accessDenied
    }

    /// An entry of a file, or a value of a call, is refused. What is refused whole, such as more
    /// fences than there may be, is not.
    package var isAboutEntries: Bool {
        self.is(.invalidArea) || error?.name == BusError.invalidArguments
    }

    /// The daemon is of a version that does not have the method.
    package var isUnknownMethod: Bool {
        error?.name == "org.freedesktop.DBus.Error.UnknownMethod"
    }

    /// The daemon is there, and has not answered in time.
    package var isUnanswered: Bool {
        [BusError.noReply, BusError.timedOut].contains(error?.name)
    }

    /// The daemon is not running.
    package var isAbsence: Bool {
        guard let name = error?.name else { return false }
        return [
            BusError.serviceUnknown, BusError.nameHasNoOwner, BusError.noReply, BusError.timedOut,
        ].contains(name)
    }

    /// What is wrong, in a few words for a user.
    package var reason: String {
        switch self {
        case .noBus(let error, _): "no bus (\(error.reason))"
        case .unreadable(let reason, _): reason
        case .call(let error, _, _):
            switch error.name {
            case BusError.serviceUnknown, BusError.nameHasNoOwner: "geofenced is not running"
            case BusError.noReply, BusError.timedOut: "geofenced does not answer"
            case BusError.accessDenied, Geofence1.Failure.notAuthorized.name:
                "not authorized\(needs(error)) (join the group geofenced, or see geofenced(8))"
            case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
                "geofenced cannot be started (\(error.message))"
            default: error.message.isEmpty ? error.name : error.message
            }
        }
    }

    /// Where: the bus, the member or the subject of an answer; empty if the reason contains it.
    package var place: String {
        switch self {
        case .noBus(_, let bus): bus
        case .unreadable(_, let subject): subject
        case .call(let error, let member, let bus):
            if isDenied { member } else if error.name.hasPrefix(Geofence1.name) { "" } else { bus }
        }
    }

    /// The required polkit action, from the daemon's message.
    private func needs(_ error: BusError) -> String {
        for action in Geofence1.Action.allCases where error.message.hasSuffix(action.rawValue) {
            return " to \(action.key)"
        }
        return ""
    }

    package var description: String { place.isEmpty ? reason : "\(reason): \(place)" }
}
