/// A limit that a vehicle breaks.
package struct Shortfall: Hashable, Sendable {
    /// Of what.
    package var kind: Limits.Kind
    /// m or t; nil where the clearance is unknown.
    package var limit: Double?
    /// Of the vehicle, m or t.
    package var vehicle: Double
    /// Of the vehicle and of the basis together, m or t.
    package var margin: Double
    /// m or t, in thousandths; nil where the clearance is unknown.
    package var shortBy: Double?
}

/// Section 8 of the law: does it fit?
extension Vehicle {
    /// Added to the vehicle's height and width, m.
    private static let (heightMargin, widthMargin) = (0.10, 0.20)
    /// A vehicle higher than this, m, is told of a clearance `below-default`.
    private static let belowDefaultHeight = 3.5

    /// The limit that it breaks by the greatest share; nil where it fits.
    /// - Parameter assumedHeight: of a vehicle whose height nobody has set, m.
    package func shortfall(_ limits: Limits, assumedHeight: Double) -> Shortfall? {
        guard limits.basis.hasNumber else { return unnumbered(limits, assumedHeight) }
        var worst: (share: Double, Shortfall)?
        for kind in Limits.Kind.allCases {
            guard let limit = limits[kind], let value = value(kind, assumedHeight) else { continue }
            let margin = Self.margin(kind, limits.basis)
            // In thousandths: 4.2 + 0.1 must not be above 4.3.
            let shortBy = ((value + margin - limit) * 1_000).rounded() / 1_000
            guard shortBy > 0, shortBy / limit > worst?.share ?? 0 else { continue }
            worst = (
                shortBy / limit,
                Shortfall(
                    kind: kind, limit: limit, vehicle: value, margin: margin, shortBy: shortBy)
            )
        }
        return worst?.1
    }

    /// How it compares with these limits.
    /// - Parameter assumedHeight: of a vehicle whose height nobody has set, m.
    package func fit(_ limits: Limits, assumedHeight: Double) -> VehicleFit {
        if shortfall(limits, assumedHeight: assumedHeight) != nil { return .breaks }
        guard limits.basis.hasNumber else {
            // Compared with the lowest clearance that is usually not signed.
            return limits.basis == .belowDefault && limits.unnumbered == .height ? .fits : .unknown
        }
        return limits.kinds.allSatisfy { value($0, assumedHeight) != nil } ? .fits : .unknown
    }

    /// Without a number only a height below the national default counts.
    private func unnumbered(_ limits: Limits, _ assumedHeight: Double) -> Shortfall? {
        guard limits.basis == .belowDefault, limits.unnumbered == .height,
            let height = value(.height, assumedHeight), height > Self.belowDefaultHeight
        else { return nil }
        return Shortfall(
            kind: .height, limit: nil, vehicle: height, margin: Self.heightMargin, shortBy: nil)
    }

    /// An unknown height counts as the assumed one; what else is unknown is not compared.
    private func value(_ kind: Limits.Kind, _ assumedHeight: Double) -> Double? {
        self[kind] ?? (kind == .height ? assumedHeight : nil)
    }

    private static func margin(_ kind: Limits.Kind, _ basis: Limits.Basis) -> Double {
        let heldBack =
            switch basis {
            case .signedActual: 0.05
            case .measured: 0.15
            case .signed, .nationalDefault, .belowDefault, .unknown: 0.0
            }
        return switch kind {
        case .height: heightMargin + heldBack
        case .width: widthMargin + heldBack
        case .length, .weight, .axleLoad: 0
        }
    }
}
