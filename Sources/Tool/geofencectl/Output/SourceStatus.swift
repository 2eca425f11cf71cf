import BusClient
import Bytes
import JSON
import Systemd
import Time

extension SourceStatus {
    /// `2501 fences, unchanged 12 min 04 s ago (304)`
    @MainActor var line: String {
        let detail = json["detail"]?.string ?? ""
        let fences = "\(json["fences"]?.integer ?? 0) fences"
        let time = json["tried_at"]?.integer ?? 0
        let now = EventLoop.wallClock.nanoseconds / 1_000_000_000
        // A clock that was set leaves times of the future.
        let age =
            time > 0 && time <= now
            ? " \(TimeSpan.seconds(Double(now - time)).text) ago" : ""
        switch state {
        case "unchanged", "imported":
            let rest = detail.isEmpty ? "" : " (\(detail.printable))"
            return "\(fences), \(state)\(age)\(rest)"
        case "held":
            return "\(fences), held: \(detail.printable); geofencectl sync \(name) --accept"
        case Self.removed:
            return "\(fences), removed: they stay until geofencectl remove --origin source/\(name)"
        case Self.missing:
            return "\(fences), missing: not what geofenced was given; the next look brings it again"
        case "paused":
            return "\(fences), paused; geofencectl sync \(name) ends it"
        default:
            let rest = detail.isEmpty ? "" : ": \(detail.printable)"
            return "\(fences), \(state.printable)\(age)\(rest)"
        }
    }
}
