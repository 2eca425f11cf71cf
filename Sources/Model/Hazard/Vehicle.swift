package import Time

/// The vehicle as it travels now, trailer and load included.
package struct Vehicle: Hashable, Sendable {
    /// Name of the profile it was taken from; empty where there is none.
    package var profile: String
    /// m, 1…6; nil where nobody has set it: then one is assumed.
    package var height: Double?
    /// m, 0.5…5; nil where it is not known: then no limit of width applies.
    package var width: Double?
    /// m, 1…60; nil where it is not known.
    package var length: Double?
    /// Tonnes, 0.1…200; nil where it is not known.
    package var weight: Double?
    /// Tonnes, 0.1…200; nil where it is not known.
    package var axleLoad: Double?
    /// Who set it: a caller of the bus, or `settings`; empty where nobody has.
    package var setBy: String
    /// When it was set, UTC; nil where it never was.
    package var setAt: UTCTime?
    /// When the driver last confirmed the height, UTC; nil where nobody has.
    package var confirmedAt: UTCTime?

    package init(
        profile: String = "", height: Double? = nil, width: Double? = nil, length: Double? = nil,
        weight: Double? = nil, axleLoad: Double? = nil, setBy: String = "",
        setAt: UTCTime? = nil, confirmedAt: UTCTime? = nil
    ) {
        self.profile = profile
        self.height = height
        self.width = width
        self.length = length
        self.weight = weight
        self.axleLoad = axleLoad
        self.setBy = setBy
        self.setAt = setAt
        self.confirmedAt = confirmedAt
    }

    /// How sure its height is.
    package enum Certainty: UInt8, CaseIterable, Sendable {
        /// Nobody has set it.
        case assumed
        /// It was set, and not confirmed or too long ago.
        case unconfirmed
        case confirmed

        /// The name in JSON.
        package var name: String {
            switch self {
            case .assumed: "assumed"
            case .unconfirmed: "unconfirmed"
            case .confirmed: "confirmed"
            }
        }
    }

    /// Of the height at `time`; a confirmation counts for `lifetime`.
    package func certainty(at time: UTCTime, lifetime: TimeSpan) -> Certainty {
        guard height != nil else { return .assumed }
        guard let confirmedAt, time - confirmedAt <= lifetime else { return .unconfirmed }
        return .confirmed
    }

    /// The value that a limit of this kind is compared with, m or t; nil where it is not known.
    package subscript(kind: Limits.Kind) -> Double? {
        get {
            switch kind {
            case .height: height
            case .width: width
            case .length: length
            case .weight: weight
            case .axleLoad: axleLoad
            }
        }
        set {
            switch kind {
            case .height: height = newValue
            case .width: width = newValue
            case .length: length = newValue
            case .weight: weight = newValue
            case .axleLoad: axleLoad = newValue
            }
        }
    }

    /// What is wrong with a value of this kind, m or t; nil for one in range.
    package static func flaw(_ value: Double, of kind: Limits.Kind) -> String? {
        let range = range(of: kind)
        guard !range.contains(value) else { return nil }
        let unit = kind.unit
        return
            "\(kind.vehicleKey) \(value) is outside \(range.lowerBound)…\(range.upperBound) \(unit)"
    }

    /// Why a height that may be set is one that is easily typed for another, m; nil for a usual one, and
    /// for the one that was set before.
    /// - Parameter before: what was set, or is in force; nil: nothing.
    package static func doubt(height: Double, after before: Double?) -> String? {
        if height == before { return nil }
        if height < 2 { return "a height of \(height) m is less than 2 m" }
        guard let before else { return nil }
        if height <= before / 2 { return "\(height) m is half of the height before, or less" }
        if height >= before * 2 { return "\(height) m is twice the height before, or more" }
        return nil
    }

    /// The values that a vehicle may have, m or t.
    package static func range(of kind: Limits.Kind) -> ClosedRange<Double> {
        switch kind {
        case .height: 1...6
        case .width: 0.5...5
        case .length: 1...60
        case .weight, .axleLoad: 0.1...200
        }
    }
}
