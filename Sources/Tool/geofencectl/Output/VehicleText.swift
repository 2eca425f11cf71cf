import BusClient
import Bytes
import Formats
import Geofence1
import JSON
import Model
import Sentences
import Time

extension VehicleState {
    /// `height 4.20 m, weight 40.0 t`, and what is missing.
    var summary: String {
        let values = Limits.Kind.allCases.compactMap { kind in
            vehicle[kind].map { "\(kind.name) \(Self.value($0, kind))" }
        }
        switch certainty {
        case .assumed:
            let assumed = "height not set, \(heightText(.metric)) is assumed"
            return ([assumed] + values).joined(separator: ", ")
        case .unconfirmed: return (values + ["height not confirmed"]).joined(separator: ", ")
        case .confirmed: return values.joined(separator: ", ")
        }
    }

    /// For people.
    /// - Parameter status: with the companions.
    func facts(_ terminal: Terminal, _ status: DaemonStatus) -> [(String, String)] {
        var facts: [(String, String)] = []
        if vehicle.height == nil {
            let height = heightText(.metric)
            facts.append(
                ("height", terminal.coloured("not set, \(height) is assumed", .red)))
        }
        for kind in Limits.Kind.allCases {
            guard let value = vehicle[kind] else { continue }
            var text = Self.value(value, kind)
            if kind == .height {
                text += " (\(heightText(.imperial)))"
                if let statedHeight {
                    text += ", until \(Self.value(statedHeight, kind)) is confirmed"
                }
            }
            let companions = status.companions(giving: kind).map {
                $0.id.printable + ($0.isAmbiguous ? ", perhaps" : "")
            }
            if !companions.isEmpty { text += ", with \(companions.joined(separator: "; "))" }
            facts.append((kind == .axleLoad ? "axle load" : kind.name, text))
        }
        let others = status[.companions].filter { companion in
            !Limits.Kind.allCases.contains { kind in
                status.companions(giving: kind).contains { $0.id == companion.id }
            }
        }
        for companion in others { facts.append(("with", companion.id.printable)) }
        if !vehicle.profile.isEmpty { facts.append(("profile", vehicle.profile.printable)) }
        if !profiles.isEmpty {
            facts.append(("profiles", profiles.joined(separator: ", ").printable))
        }
        if let setAt = vehicle.setAt {
            facts.append(("set", "\(setAt.iso8601) by \(vehicle.setBy.printable)"))
        } else if !vehicle.setBy.isEmpty {
            facts.append(("set", "by \(vehicle.setBy.printable)"))
        }
        guard vehicle.height != nil else { return facts }
        let when = vehicle.confirmedAt.map { ", \($0.iso8601)" } ?? ""
        facts.append(
            (
                "confirmed",
                certainty == .confirmed ? "yes\(when)" : terminal.coloured("no\(when)", .red)
            ))
        return facts
    }

    private static func value(_ value: Double, _ kind: Limits.Kind) -> String {
        ApproachDetails.value(value, kind, .metric, up: true)
    }
}
