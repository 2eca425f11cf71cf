import Model
import Time

/// The details of an event about terms, as text.
enum TermsText {
    /// Such as `max 97.2 km/h, limit 80.0 km/h, for 12.5 s`; nil if there are none.
    static func text(_ details: TermsDetails) -> String? {
        var parts: [String] = []
        if let highest = details.highestSpeed {
            parts.append("max \(speed(highest, details.speedUnit))")
        }
        if let limit = details.speedLimit {
            parts.append("limit \(speed(limit, details.speedUnit))")
        }
        if let length = details.length { parts.append("for \(length.text)") }
        if let eta = details.eta { parts.append("expected at \(eta.iso8601)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// In the unit of the sign.
    private static func speed(_ kilometres: Double, _ unit: String) -> String {
        unit == "mph"
            ? "\(decimal(kilometres / 1.609344, 1)) mph" : "\(decimal(kilometres, 1)) km/h"
    }

    /// The terms of a fence; empty if it has none.
    static func facts(_ terms: FenceTerms) -> [(String, String)] {
        var limit = terms.speedLimit > 0 ? "\(decimal(terms.speedLimit, 1)) km/h" : ""
        if !terms.speedUnit.isEmpty { limit += " (signed in \(terms.speedUnit))" }
        return [
            ("active", terms.active), ("timezone", terms.timezone),
            ("limit", limit),
            ("stop", terms.stop > .zero ? terms.stop.text : ""),
            ("at most", terms.maxStay > .zero ? terms.maxStay.text : ""),
            ("arrival", terms.arrive > .zero ? "told \(terms.arrive.text) before" : ""),
            ("expires", terms.expires), ("once", terms.once ? "yes" : ""),
        ]
    }
}
