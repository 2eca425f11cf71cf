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
    /// It cannot be read, and why.
    case refused(String)

    /// Reads the value of a tag. Where it can be read in two ways, the lower one counts.
    package init(_ text: String, of kind: LimitKind) {
        let text = MeasureText.normalized(text)
        guard !text.isEmpty else {
            self = .refused("empty")
            return
        }
        if let word = Self.words[text] {
            self = word
            return
        }
        if let separator = text.first(where: { $0 == ";" || $0 == "|" }) {
            self = Self.list(text, separator, kind)
            return
        }
        guard let measure = MeasureText(text).measure(kind, bare: .guessed) else {
            self = .refused("not a number with a unit")
            return
        }
        guard kind.plausible.contains(measure.value) else {
            let range = "\(kind.plausible.lowerBound) to \(kind.plausible.upperBound)"
            self = .refused("not within \(range)")
            return
        }
        self = .number(measure.value, doubt: measure.doubt)
    }

    private static let words: [String: LimitValue] = [
        "default": .nationalDefault, "no_sign": .nationalDefault, "no-sign": .nationalDefault,
        "no sign": .nationalDefault, "unsigned": .nationalDefault, "unsigend": .nationalDefault,
        "none": .unlimited, "no": .unlimited, "unlimited": .unlimited,
        "below_default": .belowDefault, "no_indications": .unknown, "unknown": .unknown,
    ]

    /// The lowest of a list. Lanes (`|`) may each be without a limit; a list with `;` says that
    /// mappers did not agree.
    private static func list(_ text: String, _ separator: Character, _ kind: LimitKind)
        -> LimitValue
    {
        let parts = text.split(separator: separator).prefix(100).map {
            LimitValue(String($0), of: kind)
        }
        var lowest: (value: Double, doubt: String?)?
        for part in parts {
            switch part {
            case .number(let value, let doubt):
                if lowest.map({ value < $0.value }) ?? true { lowest = (value, doubt) }
            case .refused(let reason): return .refused(reason)
            default: break
            }
        }
        guard let lowest else { return parts.first ?? .refused("empty") }
        let doubt = separator == ";" ? "a list: the lowest" : nil
        return .number(lowest.value, doubt: lowest.doubt ?? doubt)
    }
}
