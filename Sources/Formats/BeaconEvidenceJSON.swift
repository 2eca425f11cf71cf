package import JSON
package import Model
import Time

/// The evidence of a beacon's event as one JSON object: in the event's JSON, and as `a{sv}` on the
/// bus. Members without a value are left out.
extension BeaconEvidence {
    /// The object.
    package var json: JSONValue {
        var members = [JSONMember("id", .string(beacon.text))]
        func add(_ key: String, _ number: Double?) {
            if let number { members.append(JSONMember(key, JSONValue(number))) }
        }
        add("rssi_mean", level)
        add("sightings", Double(sightings))
        add("gap_s", gap?.seconds)
        add("silence_s", silence?.seconds)
        add("patience_s", patience?.seconds)
        add("way_m", way)
        return .object(members)
    }

    /// Reads the output of ``json``; nil for anything else. Unknown members are ignored.
    package init?(json: JSONValue) {
        guard let text = json["id"]?.string, let beacon = BeaconPattern(text)?.identity,
            let number = json["sightings"]?.double, let sightings = Int(exactly: number)
        else { return nil }
        self.init(
            beacon: beacon, level: json["rssi_mean"]?.double, sightings: sightings,
            gap: json["gap_s"]?.double.map { .seconds($0) },
            silence: json["silence_s"]?.double.map { .seconds($0) },
            patience: json["patience_s"]?.double.map { .seconds($0) },
            way: json["way_m"]?.double)
    }
}
