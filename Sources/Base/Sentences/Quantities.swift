/// Numbers with their units, as they are written, and as they are spoken.
extension Wording {
    /// Which way a number is rounded.
    package enum Rounding: Sendable {
        /// What a place lets pass: to 1 cm, an inch, 0.1 t.
        case down
        /// What the vehicle has: to 5 cm, an inch, 0.1 t.
        case up
    }

    /// A height, width or length, metres: `3.80 m`, `13'6"`; `3 metres 80`, `13 feet 6`.
    package func length(_ metres: Double, _ units: Units, _ rounding: Rounding) -> String {
        switch units {
        case .imperial, .us:
            let inches = Self.steps(metres, of: 0.0254, rounding)
            guard isSpoken else { return "\(inches / 12)'\(inches % 12)\"" }
            guard inches % 12 > 0 else { return text(.spokenFeet, inches / 12) }
            return text(.spokenFeetInches, inches / 12, ["inches": "\(inches % 12)"])
        case .metric:
            let centimetres =
                rounding == .up
                ? Self.steps(metres, of: 0.05, .up) * 5 : Self.steps(metres, of: 0.01, .down)
            let rest = (centimetres % 100 < 10 ? "0" : "") + "\(centimetres % 100)"
            guard isSpoken else {
                let number = "\(centimetres / 100)\(text(.decimalPoint))\(rest)"
                return text(.metres, ["n": number])
            }
            guard centimetres % 100 > 0 else { return text(.spokenMetres, centimetres / 100) }
            return text(.spokenMetresCentimetres, centimetres / 100, ["cm": rest])
        }
    }

    /// A weight, tonnes: `7.5 t`; `7.5 tonnes`, `8.2 tons`.
    package func weight(_ tonnes: Double, _ units: Units, _ rounding: Rounding) -> String {
        switch units {
        case .metric, .imperial:
            let tenths = Self.steps(tonnes, of: 0.1, rounding)
            guard isSpoken else { return text(.tonnes, ["n": decimal(tenths: tenths)]) }
            return spoken(.spokenTonnes, .spokenTonnesTenths, tenths)
        case .us:
            let tenths = Self.steps(tonnes / 0.907_184_74, of: 0.1, rounding)
            guard isSpoken else { return text(.tons, ["n": decimal(tenths: tenths)]) }
            return spoken(.spokenTons, .spokenTonsTenths, tenths)
        }
    }

    /// How far ahead something is, metres: `in 1.2 km`, `in 300 metres`. Rounded down, as ``distance``.
    package func within(_ metres: Double, _ units: Units) -> String {
        guard isSpoken else { return text(.within, ["distance": distance(metres, units)]) }
        switch Self.rounded(metres, units) {
        case .miles(let tenths): return spoken(.withinMiles, .withinMilesTenths, tenths)
        case .kilometres(let tenths):
            return spoken(.withinKilometres, .withinKilometresTenths, tenths)
        case .yards(let yards): return text(.withinYards, yards)
        case .feet(let feet): return text(.withinFeet, feet)
        case .metres(let metres): return text(.withinMetres, metres)
        }
    }

    /// A distance, metres, in writing: `1.2 km`. Rounded down: to 0.1 mile or 100 m, below that to 50
    /// yards, 100 feet or 10 m.
    package func distance(_ metres: Double, _ units: Units) -> String {
        switch Self.rounded(metres, units) {
        case .miles(let tenths): text(.miles, ["n": decimal(tenths: tenths)])
        case .kilometres(let tenths): text(.kilometres, ["n": decimal(tenths: tenths)])
        case .yards(let yards): text(.yards, ["n": "\(yards)"])
        case .feet(let feet): text(.feet, ["n": "\(feet)"])
        case .metres(let metres): text(.metres, ["n": "\(metres)"])
        }
    }

    /// A speed, km/h: `80 km/h`, `80 kilometres per hour`; of a limit, which is whole in the unit of its
    /// sign.
    /// - Parameter isMiles: whether the sign is in miles per hour; other units than those of the sign
    ///   are those that the driver has chosen.
    package func speed(_ kmh: Double, isMiles: Bool) -> String {
        let inMiles = choice == .sign ? isMiles : choice != .metric
        let value = inMiles ? kmh / 1.609_344 : kmh
        let number = value.isFinite ? Int(max(0, min(value.rounded(), 1e4))) : 0
        guard isSpoken else { return text(inMiles ? .mph : .kmh, ["n": "\(number)"]) }
        return text(inMiles ? .spokenMph : .spokenKmh, number)
    }

    private enum Distance {
        case miles(tenths: Int)
        case kilometres(tenths: Int)
        case yards(Int)
        case feet(Int)
        case metres(Int)
    }

    private static func rounded(_ metres: Double, _ units: Units) -> Distance {
        let metres = metres.isFinite ? max(0, min(metres, 1e6)) : 0
        let miles = Int(metres / 160.9344)
        switch units {
        case .imperial, .us:
            if miles >= 1 { return .miles(tenths: miles) }
            return units == .us
                ? .feet(Int(metres / 0.3048 / 100) * 100) : .yards(Int(metres / 0.9144 / 50) * 50)
        case .metric:
            if metres >= 1_000 { return .kilometres(tenths: Int(metres / 100)) }
            return .metres(metres >= 100 ? Int(metres / 100) * 100 : Int(metres / 10) * 10)
        }
    }

    private func spoken(_ whole: Counted, _ decimal: Sentence, _ tenths: Int) -> String {
        tenths % 10 == 0
            ? text(whole, tenths / 10) : text(decimal, ["n": self.decimal(tenths: tenths)])
    }

    /// How many steps of a size; 4.2 in binary is a little above 4.2, and what is meant is the decimal.
    private static func steps(_ value: Double, of size: Double, _ rounding: Rounding) -> Int {
        let exact = value / size
        let rounded = rounding == .up ? (exact - 1e-6).rounded(.up) : (exact + 1e-6).rounded(.down)
        return rounded.isFinite ? Int(max(0, min(rounded, 1e6))) : 0
    }
}
