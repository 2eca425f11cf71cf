import BusClient
import Bytes
import Formats
import Geodesy
import Geofence1
import JSON
import Model
import Systemd
import Time

extension Verb {
    static let status = Verb(
        "status", summary: "how the daemon is doing: source, fix, window, events",
        details: """
            The position is shown to callers that may read the location, the last event to those
            that may read events. With --json one object.
            """,
        run: runStatus)
}

@MainActor
private func runStatus(_ invocation: Invocation) throws {
    var daemon = try DaemonClient(invocation)
    // What the caller may not read is left out.
    daemon.asksUser = false
    let status = try daemon.status()
    if invocation.isJSON {
        var json = JSONWriter()
        status.write(to: &json)
        json.endLine()
        try StandardOutput.write(json.bytes)
    } else {
        for (name, value) in status.facts(.output) where !value.isEmpty {
            try StandardOutput.line(name.padded(to: 10) + value)
        }
        if status[.degraded].contains("fences-lost") {
            for summary in (try? daemon.origins()) ?? [] {
                guard let lost = summary.lost?.fences else { continue }
                let count = lost > 0 ? "\(summary.fences) of \(lost)" : "nobody knows how many"
                try StandardOutput.line("lost".padded(to: 10) + "\(summary.origin.text): \(count)")
            }
        }
        for source in SourceStatus.all(in: SourceStatus.directory, daemon) {
            try StandardOutput.line("sync".padded(to: 10) + "\(source.name): \(source.line)")
        }
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let consumers = (try? daemon.consumers()) ?? []
        if let alert = AlertLine.text(consumers, daemon.connection) {
            try StandardOutput.line("alert".padded(to: 10) + alert)
        }
        for uplink in consumers.compactMap(UplinkLine.init) {
            let text = uplink.text(daemon.connection, now: now)
            try StandardOutput.line("uplink".padded(to: 10) + text)
        }
    }
}

extension DaemonStatus {
    /// For people.
    @MainActor func facts(_ terminal: Terminal) -> [(String, String)] {
        let state =
            self[.degraded].isEmpty
            ? terminal.coloured(self[.state], .green)
            : terminal.coloured("degraded: \(self[.degraded].joined(separator: ", "))", .red)
        let total = refused.reduce(0) { $0 &+ $1.count }
        let reasons = refused.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        let metafence = self[.metafenceRadius].map { "metafence \(WindowTable.length($0))" }
        let oldest = self[.oldestSeq]
        let newest = self[.lastSeq]
        var facts = [
            ("state", "\(state), version \(self[.version].printable)"),
            ("source", sourceText.printable),
            ("position", isPast ? terminal.coloured(positionText, .yellow) : positionText),
            (
                "fixes",
                "\(accepted) accepted, \(total) refused"
                    + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
            ),
            ("odometer", self[.odometer].map(LengthText.of) ?? ""),
            (
                "window",
                "\(self[.window].count) of \(self[.windowSize]) regions, "
                    + (metafence ?? "the whole catalogue")
            ),
            ("fences", "\(self[.fenceCount]), generation \(self[.generation])"),
            ("beacons", beaconText),
            ("vehicle", vehicle?.summary ?? "not known to this geofenced"),
            ("events", newest < oldest ? "none" : "\(oldest) to \(newest)"),
        ]
        if case let ignition = self[.ignition], !["", "unknown"].contains(ignition) {
            let rest = self[.resting] ? ", parked; the receiver may sleep" : ""
            facts.append(("ignition", ignition.printable + rest))
        }
        if case let wheels = self[.wheels], !["", "none"].contains(wheels) {
            facts.append(("wheels", wheelText(wheels)))
        }
        if case let route = self[.routeState], !["", "none"].contains(route) {
            facts.append(("route", route.printable))
        }
        facts += self[.ahead].map { ("ahead", AheadTable.line($0)) }
        let last = lastEvent.map { EventLine.text($0, terminal) }
        facts.append(
            ("last", last ?? (isEventHidden ? "not authorized to read-events" : "none")))
        return facts
    }

    /// `moving, 345678.2 km on the vehicle's odometer, 3 refused (3 too-often)`
    private func wheelText(_ state: String) -> String {
        let refused = self[.wheelCounters].filter { $0.name != "accepted" && $0.count > 0 }
        let odometer = self[.vehicleOdometer].map {
            ", \(LengthText.of(metres: $0)) on the vehicle's odometer"
        }
        let reasons = refused.map { "\($0.count) \($0.name.printable)" }.joined(separator: ", ")
        return state.printable + (odometer ?? "") + (refused.isEmpty ? "" : ", refused: \(reasons)")
    }

    /// `gpsd://localhost:2947, /dev/ttyACM0`: which of gpsd's receivers, where the URI does not say.
    var sourceText: String {
        let (source, receiver) = (self[.source], self[.receiver])
        return receiver.isEmpty || source.hasSuffix(receiver) ? source : "\(source), \(receiver)"
    }

    /// `passive`, `off: powered-off`; empty while no beacons are requested.
    private var beaconText: String {
        let (state, reason) = (self[.beaconState], self[.beaconReason])
        if reason == "no-regions" { return "" }
        return (reason.isEmpty ? state : "\(state): \(reason)").printable
    }

    /// Time since the last fix arrived; nil for a recording, which has its own clock.
    @MainActor var fixAge: TimeSpan? {
        isRecorded ? nil : position?.age
    }

    /// The last fix is too old to be where the vehicle is, and the receiver does not rest, or could
    /// not be reached by the last look.
    @MainActor private var isPast: Bool {
        guard let fixAge, !self[.resting] || self[.degraded].contains("source") else {
            return false
        }
        return fixAge > Self.oldestFix
    }

    /// A fix that is older is the past.
    static var oldestFix: TimeSpan { .seconds(3) }

    /// `known, 48.177540 11.564070 ±12.0 m, 13.2 m/s, 181°, 0.4 s ago`
    @MainActor var positionText: String {
        let state = self[.positionState]
        guard let position else { return state }
        let age = fixAge.map { ", \($0.text) ago" } ?? ""
        return "\(state), \(position.text)\(age)"
    }
}
