import Geofence1
import Glibc
import Systemd

// Unsafe: strerror(3) gives a text that is read at once.

/// The daemon, as far as the bus reaches.
@MainActor
struct Daemon {
    let connection: BusConnection
    /// For error messages.
    let busName: String
    /// Whether polkit may ask the user before fences, events and presences are read. Not where that
    /// would be again and again.
    var asksUser = true

    private static let manager = BusPeer(
        destination: Geofence1.name, path: Geofence1.path, interface: Geofence1.managerInterface)
    private static let properties = BusPeer(
        destination: Geofence1.name, path: Geofence1.path,
        interface: "org.freedesktop.DBus.Properties")

    /// Connects to the bus that the command line names. Signals need a loop.
    /// - Throws: ``Failure`` where there is no bus.
    init(
        _ invocation: Invocation, loop: EventLoop? = nil,
        disconnected: (@MainActor () -> Void)? = nil
    ) throws {
        let (address, name) = try Self.address(invocation.value("bus") ?? "system")
        busName = name
        do throws(SystemError) {
            connection = try BusConnection(to: address, loop: loop, disconnected: disconnected)
        } catch {
            throw Failure(unsafe "no bus (\(String(cString: strerror(error.errno))))", name)
        }
    }

    private static func address(_ text: String) throws -> (BusAddress, String) {
        switch text {
        case "system": return (.system, "the system bus")
        case "session": return (.session, "the session bus")
        default:
            guard text.contains(":") else {
                throw Failure.usage("neither system nor session nor a bus address", "--bus \(text)")
            }
            return (.address(text), text)
        }
    }

    /// Calls a method of the manager and waits. `interactive` lets polkit ask the user.
    /// - Throws: ``BusFailure``
    func call(
        _ member: String, _ arguments: [BusValue] = [], interactive: Bool = false
    ) throws(BusFailure) -> [BusValue] {
        try call(Self.manager, member, arguments, interactive)
    }

    /// All properties of the manager.
    /// - Throws: ``BusFailure``
    func properties() throws(BusFailure) -> [String: BusValue] {
        let answer = try call(
            Self.properties, "GetAll", [.string(Geofence1.managerInterface)], false)
        return answer.first?.asDictionary ?? [:]
    }

    /// As ``call(_:_:interactive:)``, without waiting: `reply` comes from the loop.
    func begin(
        _ member: String, _ arguments: [BusValue],
        reply: @escaping @MainActor (Result<[BusValue], BusFailure>) -> Void
    ) throws {
        // An import of millions takes its time, and so does a user who is asked for a password.
        let hour: Int64 = 3_600_000_000_000
        let busName = busName
        try connection.call(
            Self.manager, member, arguments, timeout: hour, interactive: true
        ) { result in
            reply(
                result.mapError { BusFailure(error: $0, member: member, busName: busName) }
                    .flatMap { message in
                        do throws(SystemError) {
                            return .success(try message.values())
                        } catch {
                            return .failure(
                                BusFailure(
                                    error: BusError(error), member: member, busName: busName))
                        }
                    })
        }
    }

    private func call(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue], _ interactive: Bool
    ) throws(BusFailure) -> [BusValue] {
        do throws(BusError) {
            // A person who is asked for a password takes longer than 25 seconds.
            let timeout: Int64 = interactive ? 300_000_000_000 : 25_000_000_000
            let message = try connection.callAndWait(
                peer, member, arguments, timeout: timeout, interactive: interactive)
            do throws(SystemError) {
                return try message.values()
            } catch { throw BusError(error) }
        } catch {
            throw BusFailure(error: error, member: member, busName: busName)
        }
    }
}

/// A call that was answered with an error, or not at all.
struct BusFailure: Error, CustomStringConvertible {
    var error: BusError
    var member: String
    var busName: String

    /// One of the daemon's own.
    func `is`(_ failure: Geofence1.Failure) -> Bool { error.name == failure.name }

    /// The caller may not.
    var isDenied: Bool { self.is(.notAuthorized) || error.name == BusError.accessDenied }

    /// In the tool's words.
    var failure: Failure {
        switch error.name {
        case BusError.serviceUnknown, BusError.nameHasNoOwner:
            Failure("geofenced is not running", busName)
        case BusError.noReply:
            Failure("geofenced does not answer", busName)
        case BusError.accessDenied, Geofence1.Failure.notAuthorized.name:
            Failure(
                "not authorized\(needs) (join the group geofenced, or see geofenced(8))", member)
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
            Failure("geofenced cannot be started (\(error.message))", busName)
        case let name where name.hasPrefix(Geofence1.name):
            Failure(error.message)
        default:
            Failure(error.message.isEmpty ? error.name : error.message, busName)
        }
    }

    /// Which action of polkit would have been needed, as the daemon says.
    private var needs: String {
        for action in Geofence1.Action.allCases where error.message.hasSuffix(action.rawValue) {
            return " to \(action.key)"
        }
        return ""
    }

    var description: String { failure.description }
}
