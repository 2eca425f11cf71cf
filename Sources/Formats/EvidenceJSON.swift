package import JSON
package import Model
import Time

/// The evidence of an event as one JSON object: in the event's JSON, and as `a{sv}` on the bus.
/// Members without a value are left out.
extension Evidence {
    /// The object.
    package var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ key: String, _ number: Double?) {
            if let number { members.append(JSONMember(key, JSONValue(number))) }
        }
        add("distance_m", distance)
        add("error_m", error)
        add("inradius_m", inradius)
        add("buffer_m", buffer)
        add("proof_bound_m", proofBound)
        add("run_m", run)
        add("settled_s", settled?.seconds)
        return .object(members)
    }

    /// Reads what ``json`` gave; nil for anything else. Members that are not known are ignored.
    package init?(json: JSONValue) {
        guard let distance = json["distance_m"]?.double, let error = json["error_m"]?.double,
            let inradius = json["inradius_m"]?.double, let buffer = json["buffer_m"]?.double
        else { return nil }
        self.init(
            distance: distance, error: error, inradius: inradius, buffer: buffer,
            proofBound: json["proof_bound_m"]?.double, run: json["run_m"]?.double,
            settled: json["settled_s"]?.double.map { .seconds($0) })
    }
}
