import EngineTestKit
import FenceFiles
import Geodesy
import Law
import Model
import Time

/// The engine itself, given the compiled file as an import would read it.
final class Corridor: Warner {
    private let plane: LocalPlane
    private let places: [String: Int]
    private var replay: Replay
    private var open: [Int: Int] = [:]
    private(set) var alarms: [Alarm] = []

    /// - Throws: ``FenceFileProblem`` for the first entry that is refused.
    static func fences(_ file: [UInt8]) throws -> [Fence] {
        let reader = FenceFileReader(file, name: "approaches")
        var fences: [Fence] = []
        while let fence = try reader.next() { fences.append(fence) }
        return fences
    }

    /// - Parameter route: of the navigation of the cab, and what is told of hazards that are not on it.
    init(
        _ fences: [Fence], _ hazards: [Hazard], _ plane: LocalPlane, height: Double,
        route: (line: [Coordinate], offRoute: RouteSettings.OffRoute)? = nil
    ) {
        self.plane = plane
        places = Dictionary(
            hazards.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var settings = EngineSettings()
        settings.vehicle = Vehicle(height: height)
        if let route { settings.route.offRoute = route.offRoute }
        replay = Replay(settings: settings, store: MemoryFenceStore(fences)) { fail("\($0)") }
        if let route { replay.setRoute(Route(number: 1, route.line)) }
    }

    /// Any second of the past.
    private static let start: Int64 = 1_780_000_000

    func take(_ fix: Fix) {
        let report = PositionReport(
            time: UTCTime(secondsSince1970: Self.start + Int64(fix.time)), hasFix: true,
            coordinate: plane.coordinate(fix.point), error: fix.error, speed: fix.speed,
            course: fix.course)
        for logged in replay.handle(report) { note(logged.event, at: fix.time) }
    }

    private func note(_ event: Event, at time: Double) {
        guard let hazard = event.fence.flatMap({ places[$0] }) else { return }
        switch event.kind {
        case .clear:
            guard let alarm = open.removeValue(forKey: hazard) else { return }
            alarms[alarm].end = time
            alarms[alarm].isPassed = event.reason == .passed
            alarms[alarm].note += ", \(event.reason.map { "\($0)" } ?? "")"
        case .advisory, .urgent:
            // What is logged and not announced, the driver does not hear.
            guard event.announced else { return }
            if open[hazard] == nil {
                open[hazard] = alarms.count
                alarms.append(Alarm(hazard: hazard, begin: time, note: note(event)))
            }
            if event.kind == .urgent, let alarm = open[hazard], alarms[alarm].urgent == nil {
                alarms[alarm].urgent = time
            }
        default: break
        }
    }

    private func note(_ event: Event) -> String {
        guard let details = event.approach else { return "" }
        func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "none" }
        return "\(event.kind) \(Int(details.toGo)) m to go, escape in \(text(details.toEscape)), "
            + "chance \(text(details.chance)), \(details.road)"
    }
}
