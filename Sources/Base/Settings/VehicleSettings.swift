extension Settings {
    /// The vehicle, as the administrator knows it: what is in force until somebody sets something
    /// else on the bus.
    package struct Vehicle: Hashable, Sendable {
        /// What the keys of `[Vehicle]` say.
        package var dimensions = VehicleDimensions()
        /// `Profiles`, as written; ``profileList`` reads it.
        package var profiles = ""
        /// `ConfirmWithinSec`, s: an older confirmation of the height does not count; 0: none is
        /// needed.
        package var confirmSeconds = 86_400.0
        /// `AssumedHeightM`, m: the height while none is set.
        package var assumedHeightMetres = 4.2

        /// The named profiles in the order of the file; empty where ``profiles`` is not valid.
        package var profileList: [VehicleProfile] {
            (try? VehicleProfile.list(profiles).get()) ?? []
        }
    }
}

/// What a low bridge, a narrow gate or a weak road asks of a vehicle; nil: not known.
package struct VehicleDimensions: Hashable, Sendable {
    /// m, 1 to 6, as it travels now: load and trailer included.
    package var height: Double?
    /// m, 0.5 to 5.
    package var width: Double?
    /// m, 1 to 60, the whole combination.
    package var length: Double?
    /// t, 0.1 to 200, the whole combination.
    package var weight: Double?
    /// t, 0.1 to 200, the heaviest axle.
    package var axleLoad: Double?

    package init() {}

    static let heights = 1.0...6.0
    static let widths = 0.5...5.0
    static let lengths = 1.0...60.0
    static let weights = 0.1...200.0
}

/// A way in which the vehicle travels at times: `tractor`, `with-trailer`.
package struct VehicleProfile: Hashable, Sendable {
    /// Letters, digits, `-`, `_` and `.`, at most 64 bytes.
    package let name: String
    /// What differs from the keys of `[Vehicle]`; nil: as there.
    package let dimensions: VehicleDimensions

    /// Why a list of profiles is not valid: a phrase.
    struct Problem: Error { let reason: String }

    static let limit = 16

    /// Reads `tractor height=3.8m; with-trailer height=4m length=16.5m weight=40t`.
    static func list(_ text: String) -> Result<[VehicleProfile], Problem> {
        var profiles: [VehicleProfile] = []
        for entry in text.split(separator: ";") {
            let words = entry.split { $0 == " " || $0 == "\t" }
            guard let name = words.first else { continue }
            guard isName(name) else {
                return .failure(Problem(reason: "not a name of a profile: \(name)"))
            }
            guard !profiles.contains(where: { $0.name == name }) else {
                return .failure(Problem(reason: "twice: \(name)"))
            }
            var dimensions = VehicleDimensions()
            for word in words.dropFirst() {
                if let reason = dimensions.take(word) {
                    return .failure(Problem(reason: "\(name): \(reason)"))
                }
            }
            profiles.append(VehicleProfile(name: String(name), dimensions: dimensions))
        }
        guard profiles.count <= limit else {
            return .failure(Problem(reason: "more than \(limit) profiles"))
        }
        return .success(profiles)
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }
}

extension VehicleDimensions {
    /// Takes `height=4m`; returns why it cannot.
    fileprivate mutating func take(_ word: Substring) -> String? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let (field, quantity, range) = Self.field(parts[0]) else {
            return "not height=, width=, length=, weight= or axle=: \(word)"
        }
        guard let value = try? quantity.parse(String(parts[1])), range.contains(value) else {
            let (lower, upper) =
                (quantity.format(range.lowerBound), quantity.format(range.upperBound))
            return "not from \(lower) to \(upper): \(word)"
        }
        self[keyPath: field] = value
        return nil
    }

    private static func field(
        _ name: Substring
    ) -> (WritableKeyPath<VehicleDimensions, Double?>, Quantity, ClosedRange<Double>)? {
        switch name {
        case "height": (\.height, .length, heights)
        case "width": (\.width, .length, widths)
        case "length": (\.length, .length, lengths)
        case "weight": (\.weight, .mass, weights)
        case "axle": (\.axleLoad, .mass, weights)
        default: nil
        }
    }
}
