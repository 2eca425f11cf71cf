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
            method(
                "GetStates", needs: .readEvents, in: [("ids", "as")],
                out: [("states", "a{s(utt)}")],
                limits: BusLimits(values: 10_000, bytes: 1 << 20)
            ) { service, call, arguments in
                call.answer { try service.getStates(arguments) }
            },
            method(
                "EvaluateAt", needs: .readEvents,
                in: [("latitude", "d"), ("longitude", "d"), ("error", "d")],
                out: [("fences", "a(sud)")]
            ) { service, call, arguments in
                do throws(BusError) { try service.evaluateAt(call, arguments) } catch {
                    call.fail(error)
                }
            },
            method("GetWindow", needs: .readLocation, out: [("regions", "a(sud)")]) {
                service, call, _ in
                call.answer { [.evaluations(service.monitoring.regions)] }
            },
            method("GetPosition", needs: .readLocation, out: [("position", "a{sv}")]) {
                service, call, _ in
                call.answer { try service.getPosition() }
            },
            method("GetMetafence", needs: .readLocation, out: [("metafence", "a{sv}")]) {
                service, call, _ in
                call.answer { try service.getMetafence() }
            },
            method("Recenter", needs: .manageFences) { service, call, _ in
                call.answer { try service.recenter() }
            },
            method("Reload", needs: .manageFences) { service, call, _ in
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
        let centre = window.anchor.coordinate
        return [
            .dictionary([
                ("latitude", .double(centre.latitude)), ("longitude", .double(centre.longitude)),
                ("radius_m", .double(max(0, radius))),
            ])
        ]
    }

    private func recenter() throws -> [BusValue] {
        guard monitoring.lastFix != nil else { throw Self.noFix }
        monitoring.recenter(at: now)
        return []
    }

    private static let noFix = BusError(.noFix, "no fix has been accepted yet")
}

extension BusValue {
    /// `a(sud)`: id, presence, signed distance in metres.
    static func evaluations(_ evaluations: [Evaluation]) -> BusValue {
        .array(
            of: "(sud)",
            evaluations.map {
                .structure([
                    .string($0.id),
                    ToldPresence($0.presence, isUncertain: $0.isUncertain).bus,
                    .double($0.distance),
                ])
            })
    }
}
