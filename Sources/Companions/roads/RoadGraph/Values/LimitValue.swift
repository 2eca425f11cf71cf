/// What a value says.
package enum LimitValue: Hashable, Sendable {
    /// m or t. `doubt` is why it may be meant otherwise; nil: it may not.
    case number(Double, doubt: String?)
    /// No sign; high enough for what may drive in the country.
    case nationalDefault
    /// No sign; lower than what may drive in the country.
    case belowDefault
    /// Nothing is known.
    case unknown
    /// Nothing is limited.
    case unlimited
    /// More than any vehicle has, and surely meant so: nothing is limited.
    case beyond
    /// It cannot be read, and why.
    case refused(String)

    /// Reads the value of a tag. Where it can be read in several ways, the lowest one counts.
    package init(_ text: String, of kind: LimitKind) {
        self.init(text, of: kind, bare: .guessed)
    }

    /// - Parameter bare: what a number without a unit is.
    init(_ text: String, of kind: LimitKind, bare: MeasureText.BareNumber) {
        self.init(normal: MeasureText.normalized(text), kind, bare)
    }

    private init(normal text: String, _ kind: LimitKind, _ bare: MeasureText.BareNumber) {
        if let word = Self.words[text] {
            self = word
            return
        }
        if let separator = text.first(where: { $0 == ";" || $0 == "|" }) {
            self = Self.list(text, separator, kind, bare)
            return
        }
        if let at = text.firstIndex(of: "@") {
            let value = LimitValue(
                MeasureText.normalized(String(text[..<at])), of: kind, bare: bare)
            self = value.doubted("a condition, which is not looked at")
            return
        }
        let text = MeasureText(text, kind, bare: bare)
        if let lowest = text.lowest {
            self = .number(lowest.value, doubt: lowest.doubt)
            return
        }
        guard let first = text.readings.first else {
            self = .refused("not a number with a unit")
            return
        }
        // 450 m is no high bridge.
        let high = kind.plausible.upperBound
        let isBeyond = text.readings.allSatisfy {
            $0.hasUnit && $0.value > high && $0.value <= high * 10
        }
        let range = "\(kind.plausible.lowerBound) to \(kind.plausible.upperBound)"
        self = isBeyond ? .beyond : .refused("\(first.value) is not within \(range)")
    }

    private static let words: [String: LimitValue] = [
        "default": .nationalDefault, "no_sign": .nationalDefault, "no-sign": .nationalDefault,
        "no sign": .nationalDefault, "nosign": .nationalDefault, "unsigned": .nationalDefault,
        "unsigend": .nationalDefault, "not signed": .nationalDefault,
        "not_signed": .nationalDefault, "unmarked": .nationalDefault,
        "unposted": .nationalDefault, "not posted": .nationalDefault,
        "none": .unlimited, "no": .unlimited, "unlimited": .unlimited, "no limit": .unlimited,
        "no_limit": .unlimited, "nolimit": .unlimited, "unrestricted": .unlimited,
        "below_default": .belowDefault, "below-default": .belowDefault,
        "below default": .belowDefault, "no_indications": .unknown, "unknown": .unknown,
        "n/a": .unknown, "na": .unknown, "nan": .unknown, "null": .unknown, "-": .unknown,
        "": .refused("empty"),
    ]

    /// The lowest of a list. Lanes (`|`) may each be without a limit; a list with `;` says that
    /// mappers did not agree.
    private static func list(
        _ text: String, _ separator: Character, _ kind: LimitKind, _ bare: MeasureText.BareNumber
    ) -> LimitValue {
        let parts = text.split(separator: separator).prefix(100).map {
            LimitValue(String($0), of: kind, bare: bare)
        }
        guard let least = parts.min(by: { $0.rank < $1.rank }) else { return .refused("empty") }
        let unread = parts.contains { if case .refused = $0 { true } else { false } }
        if unread { return least.doubted("a value beside it cannot be read") }
        return separator == ";" ? least.doubted("a list: the lowest") : least
    }

    /// A number before all others, and then what warns more.
    private var rank: Double {
        switch self {
        case .number(let value, _): value
        case .belowDefault: 1e6
        case .refused: 2e6
        case .unknown: 3e6
        case .nationalDefault: 4e6
        case .beyond, .unlimited: 5e6
        }
    }

    private func doubted(_ why: String) -> LimitValue {
        if case .number(let value, nil) = self { .number(value, doubt: why) } else { self }
    }
}
