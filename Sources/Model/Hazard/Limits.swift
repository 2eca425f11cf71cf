/// What a hazard lets pass: one or more numbers, and where they come from.
package struct Limits: Hashable, Sendable {
    /// Of what.
    package enum Kind: UInt8, CaseIterable, Sendable {
        case height
        case width
        case length
        case weight
        case axleLoad

        /// The name of the kind in `limits.kind` and in events.
        package var name: String {
            switch self {
            case .height: "height"
            case .width: "width"
            case .length: "length"
            case .weight: "weight"
            case .axleLoad: "axle-load"
            }
        }

        /// The key of its number, in `limits` as for a vehicle.
        package var vehicleKey: String {
            switch self {
            case .height: "height_m"
            case .width: "width_m"
            case .length: "length_m"
            case .weight: "weight_t"
            case .axleLoad: "axle_load_t"
            }
        }

        /// `m` or `t`.
        package var unit: String {
            switch self {
            case .height, .width, .length: "m"
            case .weight, .axleLoad: "t"
            }
        }
    }

    /// What a number was taken from: it decides the margin.
    package enum Basis: UInt8, CaseIterable, Sendable {
        /// A sign that holds something back, as in the United Kingdom.
        case signed
        /// A sign with the actual clearance, as in the United States.
        case signedActual
        /// A measurement without a sign.
        case measured
        /// The national limit.
        case nationalDefault
        /// Lower than the national limit by an unknown amount: no number.
        case belowDefault
        /// Nothing is known: no number.
        case unknown

        /// The name in `limits.basis` and in events.
        package var name: String {
            switch self {
            case .signed: "signed"
            case .signedActual: "signed-actual"
            case .measured: "measured"
            case .nationalDefault: "default"
            case .belowDefault: "below-default"
            case .unknown: "unknown"
            }
        }

        /// Whether a limit of this basis has a number.
        package var hasNumber: Bool {
            switch self {
            case .signed, .signedActual, .measured, .nationalDefault: true
            case .belowDefault, .unknown: false
            }
        }
    }

    /// m or t, by kind; empty where the basis has no number.
    private var numbers: [Kind: Double]
    /// Where there is no number, what of.
    package var unnumbered: Kind
    /// The text of the sign, such as `13'6"`; empty where there is none.
    package var sign: String
    /// Where the numbers come from.
    package var basis: Basis
    /// Of the data, as its source writes it; empty where it is not known.
    package var date: String
    /// Who says so; empty where it is not known.
    package var source: String
    /// When the limit applies, as its source writes it; empty where always. The limit counts at
    /// all times.
    package var condition: String
    /// The reading is one of several.
    package var isDoubtful: Bool

    package init(
        _ numbers: [Kind: Double], unnumbered: Kind = .height, sign: String = "",
        basis: Basis = .signed, date: String = "", source: String = "", condition: String = "",
        isDoubtful: Bool = false
    ) {
        self.numbers = numbers
        self.unnumbered = unnumbered
        self.sign = sign
        self.basis = basis
        self.date = date
        self.source = source
        self.condition = condition
        self.isDoubtful = isDoubtful
    }

    /// The number of a kind, m or t; nil where there is none.
    package subscript(kind: Kind) -> Double? { numbers[kind] }

    /// The kinds that have a number, in the order of the enumeration.
    package var kinds: [Kind] { Kind.allCases.filter { numbers[$0] != nil } }

    /// The numbers that a limit may have, m or t.
    package static func range(of kind: Kind) -> ClosedRange<Double> {
        switch kind {
        case .height: 1...9.9
        case .width: 0.5...10
        case .length: 1...60
        case .weight, .axleLoad: 0.5...200
        }
    }
}
