import Model
import Settings

/// The ways in which the vehicle travels at times, as `Profiles=` has them:
/// `tractor height=3.8m; with-trailer height=4m length=16.5m weight=40t`. Each has its name in
/// `profile`, and nil for what does not differ.
enum VehicleProfiles {
    private static let limit = 16

    private typealias Field = any (WritableKeyPath<Vehicle, Double?> & Sendable)

    private static let fields: [(name: String, kind: Limits.Kind, field: Field, Quantity)] = [
        ("height", .height, \.height, .length), ("width", .width, \.width, .length),
        ("length", .length, \.length, .length), ("weight", .weight, \.weight, .mass),
        ("axle", .axleLoad, \.axleLoad, .mass),
    ]

    @Sendable static func read(_ text: String) throws(BadValue) -> [Vehicle] {
        var profiles: [Vehicle] = []
        for entry in text.split(separator: ";") {
            let words = entry.split { $0 == " " || $0 == "\t" }
            guard let name = words.first else { continue }
            guard isName(name) else {
                throw BadValue(reason: "not a name of a profile: \(name)")
            }
            guard !profiles.contains(where: { $0.profile == name }) else {
                throw BadValue(reason: "twice: \(name)")
            }
            var profile = Vehicle(profile: String(name))
            for word in words.dropFirst() { try set(word, of: &profile) }
            profiles.append(profile)
        }
        guard profiles.count <= limit else {
            throw BadValue(reason: "more than \(limit) profiles")
        }
        return profiles
    }

    @Sendable static func text(_ profiles: [Vehicle]) -> String {
        profiles.map { profile in
            let values = fields.compactMap { name, _, field, quantity in
                profile[keyPath: field].map { "\(name)=\(quantity.format($0))" }
            }
            return ([profile.profile] + values).joined(separator: " ")
        }.joined(separator: "; ")
    }

    /// Takes `height=4m`.
    private static func set(_ word: Substring, of profile: inout Vehicle) throws(BadValue) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let field = fields.first(where: { $0.name == parts[0] }) else {
            throw BadValue(
                reason:
                    "\(profile.profile): not height=, width=, length=, weight= or axle=: \(word)")
        }
        let (range, quantity) = (Vehicle.range(of: field.kind), field.3)
        guard let value = try? quantity.parse(String(parts[1])), range.contains(value) else {
            let (lower, upper) =
                (quantity.format(range.lowerBound), quantity.format(range.upperBound))
            throw BadValue(reason: "\(profile.profile): not from \(lower) to \(upper): \(word)")
        }
        profile[keyPath: field.field] = value
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }
}
