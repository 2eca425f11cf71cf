import Geodesy
import Geofence1
import Law
import Model
import Monitoring
import Systemd
import Time

// Position and presence.
extension ManagerService {
    func presenceMethods() -> [BusMethod] {
        [
            answer(.getStates) { service, _, arguments in try service.getStates(arguments) },
            method(.evaluateAt) { service, call, arguments in
                do throws(BusError) { try service.evaluateAt(call, arguments) } catch {
                    call.fail(error)
                }
            },
            answer(.getWindow) { service, _, _ in [.evaluations(service.monitoring.regions)] },
            answer(.getPosition) { service, _, _ in try service.getPosition() },
            answer(.getMetafence) { service, _, _ in try service.getMetafence() },
            answer(.recenter) { service, _, _ in try service.recenter() },
            method(.reload) { service, call, _ in
                // The answer comes first: a reload may take time.
                call.reply()
                service.hooks.notify(.reload)
            },
        ]
    }

    /// Without ids: those in the window.
    private func getStates(_ arguments: [BusValue]) throws -> [BusValue] {
        var ids = arguments[0].asStrings ?? []
        guard ids.count <= settings.listLimit else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(settings.listLimit) ids in one call")
        }
        if ids.isEmpty { ids = monitoring.regions.map(\.id) }
        let states = try monitoring.states(of: ids, at: now)
        return [
            .array(
                of: "{s(utt)}",
                states.map { id, state in
                    .entry(
                        .string(id),
                        .structure([
                            ToldPresence(state.presence, isUncertain: state.isUncertain).bus,
                            .uint64(state.changed?.microseconds ?? 0),
                            .uint64(state.changedUptime?.microseconds ?? 0),
                        ]))
                })
        ]
    }

    private func evaluateAt(_ call: BusCall, _ arguments: [BusValue]) throws(BusError) {
        let coordinate = Coordinate(
            latitude: arguments[0].asDouble ?? .nan, longitude: arguments[1].asDouble ?? .nan)
        let error = arguments[2].asDouble ?? .nan
        guard coordinate.isValid else {
            throw BusError.invalid("the position is not on Earth")
        }
        guard error >= 0, error.isFinite else {
            throw BusError.invalid("the error is no radius in metres")
        }
        let step = monitoring.evaluate(at: coordinate, error: error)
        try questions.ask(call, clients.client(call.sender)) { isTimeUp in
            try step(isTimeUp).map { [.evaluations($0)] }
        }
    }

    private func getPosition() throws -> [BusValue] {
        guard let fix = monitoring.lastFix else { throw Self.noFix }
        let position = ToldPosition(
            time: fix.time, arrival: fix.arrival, coordinate: fix.coordinate, error: fix.error,
            speed: fix.speed, course: fix.course, isUncertain: monitoring.isPositionUncertain)
        return [ToldPosition.told.options(of: position)]
    }

    /// Empty where the window is the whole catalogue. The radius alone is a property, which everybody
    /// who may read events sees; where its centre is, the vehicle was.
    private func getMetafence() throws -> [BusValue] {
        guard let window = monitoring.window else { throw Self.noFix }
        guard let radius = window.metafenceRadius else { return [.dictionary([])] }
        let metafence = ToldMetafence(centre: window.anchor.coordinate, radius: max(0, radius))
        return [ToldMetafence.told.options(of: metafence)]
    }

    private func recenter() throws -> [BusValue] {
        guard monitoring.lastFix != nil else { throw Self.noFix }
        monitoring.recenter(at: now)
        return []
    }

    private static let noFix = BusError(.noFix, "no fix has been accepted yet")
}

extension BusValue {
    /// `a(sud)`
    static func evaluations(_ evaluations: [Evaluation]) -> BusValue {
        evaluations.map {
            ToldRegion(
                id: $0.id, presence: ToldPresence($0.presence, isUncertain: $0.isUncertain),
                distance: $0.distance)
        }.bus
    }
}
