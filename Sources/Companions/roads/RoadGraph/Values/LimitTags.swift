package import Geodesy

/// The limits that tags tell of, in one direction of travel.
package struct LimitTags {
    /// Along a way, or over a node.
    package enum Direction: Hashable, Sendable { case forward, backward, node }

    private let tags: Tags
    /// `way 25494427`, for remarks.
    private let object: String
    /// Signs in feet have no margin in North America.
    private let place: Coordinate
    /// What ways with `default` are taken for, m; nil: no limit.
    private let defaultHeight: Double?
    /// What was said about values, each once.
    package private(set) var remarks: [ValueRemark] = []

    /// The place decides which rules signs follow.
    package init(_ tags: Tags, object: String, place: Coordinate, defaultHeight: Double?) {
        self.tags = tags
        self.object = object
        self.place = place
        self.defaultHeight = defaultHeight
    }

    /// At most one of each kind: the lowest.
    package mutating func limits(_ direction: Direction) -> [Limit] {
        var limits: [Limit] = []
        for kind in LimitKind.allCases {
            var lowest: Limit?
            var count = 0
            for key in TagKey.limits(kind, direction) {
                guard let text = tags[key], let limit = limit(kind, key, text) else { continue }
                count += 1
                if lowest.map({ limit.counts(before: $0) }) ?? true { lowest = limit }
            }
            if kind == .height, lowest == nil, tags[.barrier] == "height_restrictor" {
                lowest = Limit(kind: .height, value: nil, sign: "", basis: .belowDefault)
            }
            // If one value applies at all times, the hours of another are ignored: one warning
            // too many is the lesser fault.
            if count == 1, let condition = lowest?.condition {
                lowest?.hours = ConditionHours.text(condition)
            }
            if let lowest { limits.append(lowest) }
        }
        return limits
    }

    private mutating func limit(_ kind: LimitKind, _ key: TagKey, _ text: String) -> Limit? {
        let isConditional = key.rawValue.hasSuffix(":conditional")
        let value =
            isConditional
            ? LimitValue(conditional: text, of: kind, bare: bare)
            : LimitValue(text, of: kind, bare: bare)
        let condition = isConditional ? text : nil
        switch value {
        case .number(let number, let doubt):
            if let doubt { remark(.doubtful, key, text, doubt) }
            return Limit(
                kind: kind, value: number, sign: sign(text, isConditional),
                basis: basis(kind, key, sign(text, isConditional)), condition: condition,
                doubt: doubt)
        case .nationalDefault:
            guard kind == .height, let defaultHeight else { return nil }
            return Limit(
                kind: kind, value: defaultHeight, sign: text, basis: .nationalDefault,
                condition: condition)
        case .belowDefault:
            return Limit(
                kind: kind, value: nil, sign: text, basis: .belowDefault, condition: condition)
        case .unknown:
            return Limit(
                kind: kind, value: nil, sign: text, basis: .unknown, condition: condition)
        case .unlimited:
            return nil
        case .beyond:
            remark(.leftOut, key, text, kind.beyond)
            return nil
        case .refused(let reason):
            remark(.refused, key, text, kind.told(unread: reason))
            return Limit(unread: text, reason, of: kind, condition: condition)
        }
    }

    private func sign(_ text: String, _ isConditional: Bool) -> String {
        guard isConditional, let value = text.split(separator: "@").first else { return text }
        return value.split(separator: " ").joined(separator: " ")
    }

    private func basis(_ kind: LimitKind, _ key: TagKey, _ text: String) -> LimitBasis {
        if key.rawValue.split(separator: ":").contains("physical") || tags[.maxheightSigned] == "no"
        {
            return .measured
        }
        let values = MeasureText.normalized(text).split { $0 == ";" || $0 == "|" }
        let isImperial = values.contains {
            MeasureText(String($0), kind, bare: bare).lowest?.isImperial == true
        }
        return isImperial && isInAmerica ? .signedActual : .signed
    }

    /// Where signs may be in feet without a margin, and in pounds.
    private var isInAmerica: Bool { place.longitude < -30 }

    /// What a number without a unit is.
    private var bare: MeasureText.BareNumber { isInAmerica ? .guessedLow : .guessed }

    private mutating func remark(
        _ outcome: ValueRemark.Outcome, _ key: TagKey, _ text: String, _ reason: String
    ) {
        let remark = ValueRemark(
            outcome: outcome, object: object, tag: "\(key.rawValue)=\(text)", reason: reason)
        if !remarks.contains(remark) { remarks.append(remark) }
    }
}

extension LimitValue {
    /// The lowest of the values before `@`, whatever their conditions, because what a condition
    /// says at the time of driving cannot be known here.
    package init(conditional text: String, of kind: LimitKind) {
        self.init(conditional: text, of: kind, bare: .guessed)
    }

    /// - Parameter bare: what a number without a unit is.
    init(conditional text: String, of kind: LimitKind, bare: MeasureText.BareNumber) {
        var depth = 0
        var clauses = [""]
        for character in text.prefix(1000) {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ";", depth <= 0 {
                clauses.append("")
            } else {
                clauses[clauses.count - 1].append(character)
            }
        }
        let values = clauses.map { clause in
            String(clause.prefix { $0 != "@" })
        }
        let known = values.filter { LimitValue($0, of: kind, bare: bare) != .unlimited }
        guard let first = known.first else {
            self = .unlimited
            return
        }
        self = LimitValue(
            known.count == 1 ? first : known.joined(separator: "|"), of: kind, bare: bare)
    }
}
