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
                            .presence(state.presence, isUncertain: state.isUncertain),
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
        var entries: [(String, BusValue)] = [
            ("time", .uint64(fix.time.microseconds)),
            ("monotonic", .uint64(fix.arrival.microseconds)),
            ("latitude", .double(fix.coordinate.latitude)),
            ("longitude", .double(fix.coordinate.longitude)),
            ("error_m", .double(fix.error)),
            ("uncertain", .bool(monitoring.isPositionUncertain)),
        ]
        if let speed = fix.speed { entries.append(("speed_mps", .double(speed))) }
        if let course = fix.course { entries.append(("course_deg", .double(course))) }
        return [.dictionary(entries)]
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
    static func presence(_ presence: Presence, isUncertain: Bool) -> BusValue {
        .uint32(presence.rawValue | (isUncertain ? Geofence1.uncertain : 0))
    }

    /// `a(sud)`: id, presence, signed distance in metres.
    static func evaluations(_ evaluations: [Evaluation]) -> BusValue {
        .array(
            of: "(sud)",
            evaluations.map {
                .structure([
                    .string($0.id), .presence($0.presence, isUncertain: $0.isUncertain),
                    .double($0.distance),
                ])
            })
    }
}

extension Uptime {
    /// Monotonic time in D-Bus's unit; 0 for times before the boot.
    var microseconds: UInt64 { UInt64(max(0, nanoseconds)) / 1000 }
}
