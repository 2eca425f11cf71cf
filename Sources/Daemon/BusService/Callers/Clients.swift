import Geofence1
import Systemd

/// What is known of a program on the bus, until it leaves: a unique name is never used again.
@MainActor
final class Client {
    let name: String
    fileprivate(set) var credentials: BusCredentials?
    fileprivate var waiting: [(BusCredentials?) -> Void] = []
    fileprivate var watch: BusSlot?
    fileprivate var lastUsed: UInt64 = 0
    /// The last answers of polkit.
    var answers: [Geofence1.Action: Answer] = [:]
    /// Those that polkit is being asked about for display.
    var asked: Set<Geofence1.Action> = []
    /// The same for objects.
    var reviewed: Set<Geofence1.Action> = []
    /// It has subscriptions.
    var isSubscriber = false
    /// It has ranging sessions.
    var isRanging = false
    /// It has asked what it may do, and is notified of changes.
    var knowsAuthorization = false
    /// Actions for when it has left the bus, by purpose.
    var whenGone: [String: () -> Void] = [:]

    fileprivate init(name: String) { self.name = name }

    /// The permissions that its objects need as long as they exist.
    var needed: [Geofence1.Action] {
        (isSubscriber ? [.readEvents] : []) + (isRanging ? [.rangeBeacons] : [])
    }

    /// It may be forgotten and identified again later.
    fileprivate var isIdle: Bool { waiting.isEmpty && whenGone.isEmpty }
}

/// The remembered callers. Each costs a match rule of the bus, of which a connection has 512
/// (max_match_rules_per_connection, dbus-daemon(1)): the least recently used are evicted. There are
/// more than the connections that one user may have (256, max_connections_per_user), so that no
/// user can shut out the others.
@MainActor
final class Clients {
    private let connection: BusConnection
    private let limit: Int
    private var clients: [String: Client] = [:]
    private var uses: UInt64 = 0
    /// The program of that unique name has left the bus.
    var onLeft: (String) -> Void = { _ in }

    init(_ connection: BusConnection, limit: Int = 384) {
        self.connection = connection
        self.limit = limit
    }

    /// All remembered callers.
    var all: [Client] { Array(clients.values) }

    /// The caller of that unique name, if it is remembered.
    func known(_ name: String) -> Client? { clients[name] }

    /// The caller of that unique name, which is remembered.
    /// - Throws: LimitsExceeded when all remembered callers are busy.
    func client(_ name: String) throws(BusError) -> Client {
        uses += 1
        if let client = clients[name] {
            client.lastUsed = uses
            return client
        }
        if clients.count >= limit {
            let idle = clients.values.filter(\.isIdle).min { $0.lastUsed < $1.lastUsed }
            guard let idle else {
                throw BusError(
                    name: BusError.limitsExceeded, message: "more than \(limit) busy callers")
            }
            clients[idle.name] = nil
        }
        let client = Client(name: name)
        client.lastUsed = uses
        do throws(SystemError) {
            client.watch = try connection.watchName(name) { [weak self] owner in
                guard owner == nil else { return }
                self?.forget(name)
                self?.onLeft(name)
            }
        } catch { throw BusError(error) }
        clients[name] = client
        return client
    }

    /// Its credentials; nil when it has left or the bus does not know them.
    func credentials(of client: Client, then: @escaping (BusCredentials?) -> Void) {
        if let credentials = client.credentials {
            then(credentials)
            return
        }
        client.waiting.append(then)
        guard client.waiting.count == 1 else { return }
        do throws(SystemError) {
            // After the match rule, so that a client that leaves now is noticed.
            try connection.credentials(of: client.name) { [weak self] result in
                guard case .success(let credentials) = result else {
                    self?.forget(client.name)
                    return
                }
                client.credentials = credentials
                Self.answer(client, credentials)
            }
        } catch { Self.answer(client, nil) }
    }

    private func forget(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        Self.answer(client, nil)
        let callbacks = client.whenGone
        client.whenGone = [:]
        for callback in callbacks.values { callback() }
    }

    private static func answer(_ client: Client, _ credentials: BusCredentials?) {
        let waiting = client.waiting
        client.waiting = []
        for then in waiting { then(credentials) }
    }
}
