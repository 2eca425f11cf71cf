import Engine
import Time

/// What an event says of the terms of its fence, for people.
enum TermsText {
    /// Nil where it says nothing: `max 97.2 km/h, limit 80.0 km/h, for 12.5 s`.
    static func text(_ details: TermsDetails) -> String? {
        var parts: [String] = []
        if let highest = details.highestSpeed {
            parts.append("max \(speed(highest, details.speedUnit))")
        }
        if let limit = details.speedLimit {
            parts.append("limit \(speed(limit, details.speedUnit))")
        }
        if let length = details.length { parts.append("for \(EventLine.duration(length))") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// In the unit of the sign.
    private static func speed(_ kilometres: Double, _ unit: String) -> String {
        unit == "mph"
            ? "\(decimal(kilometres / 1.609344, 1)) mph" : "\(decimal(kilometres, 1)) km/h"
    }
}
