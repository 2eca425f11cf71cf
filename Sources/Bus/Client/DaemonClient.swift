package import Geofence1
package import Systemd
package import Time

/// The daemon's interface for all other programs: its methods as functions, their results as
/// values.
///
/// Every call waits for its answer, except ``begin(_:_:reply:)``; signals, and answers to calls
/// that were begun, are delivered by the loop.
@MainActor
package struct DaemonClient {
    /// The connection to the bus, for signals and names.
    package let connection: BusConnection
    private let address: BusAddress
    /// Whether polkit may ask the user before fences, events and presences are read. False for
    /// repeated calls, so that the user is not asked each time.
    package var asksUser = true

    private static let manager = BusPeer(
        destination: Geofence1.name, path: Geofence1.path, interface: Geofence1.managerInterface)
    private static let properties = BusPeer(
        destination: Geofence1.name, path: Geofence1.path,
        interface: "org.freedesktop.DBus.Properties")

    /// Connects to a bus. Signals, and calls that are begun, need a loop.
    /// - Parameter disconnected: called when the bus has closed the connection.
    package init(
        to address: BusAddress, loop: EventLoop? = nil,
        disconnected: (@MainActor () -> Void)? = nil
    ) throws(ClientError) {
        self.address = address
        do throws(SystemError) {
            connection = try BusConnection(to: address, loop: loop, disconnected: disconnected)
        } catch {
            throw ClientError.noBus(error, bus: address.description)
        }
    }

    /// The name of the bus, for error messages.
    package var busName: String { address.description }

    /// Makes a call and waits. `interactive` lets polkit ask the user.
    package func call(
        _ call: DaemonCall, _ arguments: [BusValue] = [], interactive: Bool = false
    ) throws(ClientError) -> [BusValue] {
        try self.call(Self.manager, call.name, arguments, interactive)
    }

    /// All properties of the manager.
    package func properties() throws(ClientError) -> [String: BusValue] {
        let answer = try call(
            Self.properties, "GetAll", [.string(Geofence1.managerInterface)], false)
        return answer.first?.asDictionary ?? [:]
    }

    /// Like ``call(_:_:interactive:)``, without waiting: `reply` is called from the loop.
    package func begin(
        _ call: DaemonCall, _ arguments: [BusValue],
        reply: @escaping @MainActor (Result<[BusValue], ClientError>) -> Void
    ) throws(ClientError) {
        // An import of millions takes long, and so may a user who is asked for a password.
        let hour = TimeSpan.seconds(3600)
        let busName = busName
        do throws(SystemError) {
            try connection.call(
                Self.manager, call.name, arguments, timeout: hour, interactive: true
            ) { result in
                reply(Self.values(of: result, call.name, busName))
            }
        } catch { throw .call(BusError(error), member: call.name, bus: busName) }
    }

    /// Like ``begin(_:_:reply:)``, for a program that nobody sits at: polkit asks no user, and an
    /// answer that takes longer than `timeout` is an error.
    package func ask(
        _ call: DaemonCall, _ arguments: [BusValue] = [], timeout: TimeSpan = .seconds(10),
        reply: @escaping @MainActor (Result<[BusValue], ClientError>) -> Void
    ) throws(ClientError) {
        let busName = busName
        do throws(SystemError) {
            try connection.call(Self.manager, call.name, arguments, timeout: timeout) { result in
                reply(Self.values(of: result, call.name, busName))
            }
        } catch { throw .call(BusError(error), member: call.name, bus: busName) }
    }

    /// Like ``properties()``, without waiting for longer than `timeout`: `reply` is called from the
    /// loop.
    package func beginProperties(
        timeout: TimeSpan,
        reply: @escaping @MainActor (Result<[String: BusValue], ClientError>) -> Void
    ) throws(ClientError) {
        let busName = busName
        do throws(SystemError) {
            try connection.call(
                Self.properties, "GetAll", [.string(Geofence1.managerInterface)], timeout: timeout
            ) { result in
                reply(
                    Self.values(of: result, "GetAll", busName).map {
                        $0.first?.asDictionary ?? [:]
                    })
            }
        } catch { throw .call(BusError(error), member: "GetAll", bus: busName) }
    }

    /// Calls `body` when something may have changed: an event, a new window, a restarted daemon.
    /// - Returns: the subscriptions, which end when they are released.
    package func onNews(_ body: @escaping @MainActor () -> Void) throws -> [BusSlot] {
        var appearance = BusMatch(
            sender: BusPeer.bus.destination, path: BusPeer.bus.path,
            interface: BusPeer.bus.interface, member: "NameOwnerChanged")
        appearance.firstArgument = Geofence1.name
        let anything = BusMatch(sender: Geofence1.name, path: Geofence1.path)
        return try [appearance, anything].map { match in
            try connection.subscribe(match) { _ in body() }
        }
    }

    /// Calls `body` when one of these properties has changed, as long as the slot lives.
    package func onChange(
        of names: Set<String>, _ body: @escaping @MainActor () -> Void
    ) throws(SystemError) -> BusSlot {
        var match = BusMatch(
            sender: Geofence1.name, path: Geofence1.path,
            interface: Self.properties.interface, member: "PropertiesChanged")
        match.firstArgument = Geofence1.managerInterface
        return try connection.subscribe(match) { message in
            guard let values = try? message.values(), values.count == 3,
                let changed = values[1].asDictionary, changed.keys.contains(where: names.contains)
            else { return }
            body()
        }
    }

    /// Calls `body` when the vehicle has gone another 500 m, as long as the slot lives.
    package func onHeartbeat(
        _ body: @escaping @MainActor () -> Void
    ) throws(SystemError) -> BusSlot {
        let match = BusMatch(
            sender: Geofence1.name, path: Geofence1.path, interface: Geofence1.managerInterface,
            member: "Heartbeat")
        return try connection.subscribe(match) { _ in body() }
    }

    private static func values(
        of result: Result<BusMessage, BusError>, _ member: String, _ busName: String
    ) -> Result<[BusValue], ClientError> {
        result.flatMap { message in
            do throws(SystemError) {
                return .success(try message.values())
            } catch { return .failure(BusError(error)) }
        }.mapError { .call($0, member: member, bus: busName) }
    }

    /// Calls a method of one of the daemon's objects and waits.
    func call(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue], _ interactive: Bool
    ) throws(ClientError) -> [BusValue] {
        try answer(peer, member, arguments, interactive).values
    }

    /// Like ``call(_:_:interactive:)``, with the unique name of the daemon that has answered. Where
    /// the content of a signal is believed, it is subscribed to under that name.
    func callWithSender(
        _ call: DaemonCall, _ arguments: [BusValue], interactive: Bool
    ) throws(ClientError) -> (values: [BusValue], daemon: String?) {
        try answer(Self.manager, call.name, arguments, interactive)
    }

    /// Waits until the daemon shows that it answers at all: before a call that may take long, as a
    /// user may who is asked for a password.
    package func ping() throws(ClientError) {
        let peer = BusPeer(
            destination: Geofence1.name, path: Geofence1.path,
            interface: "org.freedesktop.DBus.Peer")
        _ = try answer(peer, "Ping", [], false)
    }

    /// The daemon promises an answer to everything in much less.
    private static let patience = TimeSpan.seconds(10)

    private func answer(
        _ peer: BusPeer, _ member: String, _ arguments: [BusValue], _ interactive: Bool
    ) throws(ClientError) -> (values: [BusValue], daemon: String?) {
        if interactive { try ping() }
        let timeout = interactive ? .seconds(300) : Self.patience
        let result: Result<BusMessage, BusError>
        do throws(BusError) {
            result = .success(
                try connection.callAndWait(
                    peer, member, arguments, timeout: timeout, interactive: interactive))
        } catch { result = .failure(error) }
        let values = try Self.values(of: result, member, busName).get()
        return (values, try? result.get().sender)
    }
}

extension DaemonClient {
    /// Calls `body` when an event was told, the window, or a property has changed, and when the
    /// daemon has come or gone; not at each fix, as ``onNews(_:)`` does.
    /// - Returns: the subscriptions, which end when they are released.
    package func onChanges(_ body: @escaping @MainActor () -> Void) throws -> [BusSlot] {
        var appearance = BusMatch(
            sender: BusPeer.bus.destination, path: BusPeer.bus.path,
            interface: BusPeer.bus.interface, member: "NameOwnerChanged")
        appearance.firstArgument = Geofence1.name
        var matches = [appearance]
        for member in ["Transition", "WindowChanged", "PropertiesChanged"] {
            matches.append(
                BusMatch(sender: Geofence1.name, path: Geofence1.path, member: member))
        }
        return try matches.map { match in try connection.subscribe(match) { _ in body() } }
    }
}
