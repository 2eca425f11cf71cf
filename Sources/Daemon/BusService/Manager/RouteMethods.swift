import Geodesy
import Geofence1
import Law
import Monitoring
import Systemd
import Time

// The route. No line of the log contains where it leads.
extension ManagerService {
    func routeMethods() -> [BusMethod] {
        [
            method(.setRoute) { service, call, arguments in
                do { try service.setRoute(call, arguments) } catch {
                    call.fail(BusError(error as any Error))
                }
            },
            method(.getRoute) { service, call, _ in
                do throws(BusError) { try service.getRoute(call) } catch { call.fail(error) }
            },
            answer(.clearRoute) { service, call, _ in
                try service.monitoring.clearRoute(at: service.now)
                service.log("the route was cleared by \(service.name(of: call.sender))")
                return []
            },
        ]
    }

    /// One portion; the last one sets the route.
    private func setRoute(_ call: BusCall, _ arguments: [BusValue]) throws {
        let options = try RouteOptions(arguments[1])
        let client = try clients.client(call.sender)
        let portion = try Self.positions(arguments[0])
        let positions = try routes.add(portion, options, of: client, at: now)
        guard let positions else {
            return call.reply([.dictionary([("received", .uint32(options.next(portion)))])])
        }
        let place = try routes.lookedAt.keep(call, of: client.credentials?.uid)
        let step = try monitoring.setRoute(
            positions, name: options.name, isKept: options.isKept, at: now)
        try questions.ask(call, client) { [weak self] isTimeUp in
            guard let self, let found = try withExtendedLifetime(place, { try step(now, isTimeUp) })
            else { return nil }
            log("a route was set by \(name(of: call.sender))")
            // Whether the vehicle is on it shows where the vehicle is.
            return routeAnswer(found, mayRead: false)
        }
    }

    private static func positions(_ value: BusValue) throws(BusError) -> [Coordinate] {
        var positions: [Coordinate] = []
        for element in value.asArray ?? [] {
            guard let pair = element.asStructure, pair.count == 2,
                let latitude = pair[0].asDouble, let longitude = pair[1].asDouble
            else { throw BusError.invalid("a position is (dd)") }
            let position = Coordinate(latitude: latitude, longitude: longitude)
            guard position.isValid else {
                throw BusError.invalid(
                    "position \(positions.count + 1) of the call is not on the Earth")
            }
            positions.append(position)
        }
        return positions
    }

    private func getRoute(_ call: BusCall) throws(BusError) {
        let hazards = monitoring.routeHazards(at: now)
        try questions.ask(call, clients.client(call.sender)) { [weak self] isTimeUp in
            guard let self, let found = try hazards(isTimeUp) else { return nil }
            return routeAnswer(found, mayRead: true)
        }
    }

    /// With what the route leads to.
    private func routeAnswer(_ found: RouteHazards, mayRead: Bool) -> [BusValue] {
        var told = ToldRoute(state: monitoring.routeState)
        guard let route = monitoring.route(at: now) else { return [told.bus] }
        told.name = route.name
        told.setAt = route.setAt
        told.until = route.until
        told.isKept = route.isKept
        told.isOn = mayRead ? route.isOn : nil
        told.positions = UInt32(clamping: route.route.line.positions.count)
        told.length = route.route.line.length
        told.hazardsAreKnown = found.areKnown
        told.isComplete = found.isComplete
        told.fitting = UInt32(clamping: found.fitting)
        told.hazards = found.hazards
        return [told.bus]
    }
}

/// The options of one `SetRoute`.
struct RouteOptions {
    var name = ""
    var isKept = false
    /// Index of the first position of the portion.
    var first: UInt32 = 0
    /// Another portion follows.
    var hasMore = false

    init(_ value: BusValue) throws(BusError) {
        for (key, value) in (value.asDictionary ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch (key, value.asString, value.asBool, value.asUInt64) {
            case ("name", let text?, _, _): name = text
            case ("keep", _, let flag?, _): isKept = flag
            case ("more", _, let flag?, _): hasMore = flag
            case ("first", _, _, let index?):
                guard let index = UInt32(exactly: index) else {
                    throw BusError.invalid("first is too large")
                }
                first = index
            case ("name", _, _, _), ("keep", _, _, _), ("more", _, _, _), ("first", _, _, _):
                throw BusError.invalid("\(key) is of another type")
            default: throw BusError.invalid("option \"\(key.echoed())\" is not known")
            }
        }
    }

    /// Where the next portion begins.
    func next(_ portion: [Coordinate]) -> UInt32 {
        UInt32(clamping: UInt64(first) + UInt64(portion.count))
    }
}

/// The routes that are being set in several calls, one for each client.
@MainActor
final class RoutePortions {
    private struct Begun {
        var positions: [Coordinate]
        let user: UInt32?
        /// When its last portion came.
        let at: Uptime
    }

    private var begun: [String: Begun] = [:]
    /// Calls whose route is looked at before it is set: each keeps its line, 4 MB at most.
    let lookedAt = HeldCalls("the routes of others", calls: 6, bytes: 2 << 20, perUser: 2)

    /// Clients that may be at it at once, and those of one user: a route is 1.6 MB.
    private static let (most, mostOfUser) = (6, 2)
    /// For so long a place is kept for the next portion where others want it.
    private static let patience = TimeSpan.seconds(10)
    private static let key = "route"

    /// The whole route with its last portion; nil before that.
    /// - Throws: ``BusError``; then what the client has begun is forgotten.
    func add(
        _ portion: [Coordinate], _ options: RouteOptions, of client: Client, at now: Uptime
    ) throws(BusError) -> [Coordinate]? {
        var positions = begun.removeValue(forKey: client.name)?.positions ?? []
        client.whenGone[Self.key] = nil
        if options.first == 0 { positions = [] }
        guard options.first == positions.count else {
            throw BusError.invalid(
                "first is \(options.first) after \(positions.count) positions: begin again")
        }
        guard positions.count + portion.count <= Route.mostPositions else {
            throw BusError.invalid("more than \(Route.mostPositions) positions")
        }
        positions += portion
        guard options.hasMore else { return positions }
        let user = client.credentials?.uid
        guard hasPlace(for: user, at: now) else {
            throw BusError(
                name: BusError.limitsExceeded, message: "too many routes are being set")
        }
        let name = client.name
        begun[name] = Begun(positions: positions, user: user, at: now)
        client.whenGone[Self.key] = { [weak self] in self?.begun[name] = nil }
        return nil
    }

    /// Those who have stopped half-way make room.
    private func hasPlace(for user: UInt32?, at now: Uptime) -> Bool {
        func isFull() -> Bool {
            begun.count >= Self.most
                || begun.values.count { $0.user == user } >= Self.mostOfUser
        }
        if isFull() { begun = begun.filter { now - $0.value.at < Self.patience } }
        return !isFull()
    }
}
