import Geodesy

/// A road authority's list of limits at points.
package struct BridgeList: Sendable {
    /// Which of two roads that cross at a point is meant.
    enum Level: Sendable { case under, over }

    /// A limit at a point.
    struct Entry: Sendable {
        let id: String
        /// The row, for messages.
        let source: String
        let place: Coordinate
        let limit: Limit
        /// Of travel, degrees from north; nil: both.
        let direction: Double?
        let title: String
        let level: Level
    }

    private(set) var entries: [Entry] = []
    /// How many limits it has.
    package var entryCount: Int { entries.count }
    /// It has no limit, or none that can be read.
    package var isUnread: Bool { entries.allSatisfy(\.limit.isUnread) }
    /// Rows and values that were refused or left out, or are used in doubt.
    package private(set) var remarks: [ValueRemark] = []
    /// How many rows it has.
    package let rowCount: Int
    /// Rows of which a limit is used.
    package private(set) var rowsTaken = 0
    /// What numbers without a unit are in, by kind, where that is known.
    package private(set) var units: [LimitKind: MeasureUnit] = [:]

    /// Columns with the ones that have the rest of their values, by kind.
    package private(set) var splits: [LimitKind: SplitColumn] = [:]
    /// How many numbers of a kind were read in a unit that makes sense, since nothing says which it is.
    package private(set) var guessed: [LimitKind: Int] = [:]

    private let fields: ListFields
    private let name: String
    /// Numbers without a unit, where nothing says what they are in: how many there are, and how many of
    /// them cannot be metres or tonnes.
    private var unnamed: [LimitKind: (all: Int, strange: Int)] = [:]

    /// Reads a file. Rows that cannot be used are remarked on, and the rest is used.
    /// - Parameter name: begins the ids of its hazards.
    package init(_ path: String, name: String, _ fields: ListFields) throws(ExtractError) {
        try self.init(ListTable(path), path, name: name, fields)
    }

    /// The same of what is in a file.
    package init(bytes: [UInt8], name: String, _ fields: ListFields) throws(ExtractError) {
        try self.init(ListTable(bytes, name), name, name: name, fields)
    }

    private init(
        _ table: ListTable, _ path: String, name: String, _ fields: ListFields
    ) throws(ExtractError) {
        self.fields = fields
        self.name = name
        if !table.rows.isEmpty { try fields.check(table, path) }
        rowCount = table.rows.count
        var rows = table.rows[...]
        if fields.rules == .plain {
            let unitRow = rows.first.flatMap { isUnitRow($0.values) ? $0 : nil }
            if let unitRow {
                rows = rows.dropFirst()
                remark(
                    .leftOut, "\(name) \(table.counted) \(unitRow.number)", "",
                    "the units of the columns")
            }
            for kind in LimitKind.allCases {
                let told = unitRow?.values ?? [:]
                let unit = fields.unit(of: kind, table.columns, unitRow: told)
                let single = table.columns.filter { !table.repeated.contains($0.key) }
                splits[kind] = fields.split(kind, single, unit, unitRow: told)
                units[kind] = splits[kind]?.unit ?? unit
                guard splits[kind] == nil, unit == .foot else { continue }
                for column in fields.inches(table.columns, unitRow: told) {
                    remark(
                        .doubtful, name, column, "in inches, and not read beside \(kind.rawValue)")
                }
            }
        }
        for (number, values, isLong) in rows {
            add(values, "\(name) \(table.counted) \(number)", number, isLong)
        }
    }

    /// Whether it tells in which units the rows below it are.
    private func isUnitRow(_ row: [String: String]) -> Bool {
        place(row) == nil && LimitKind.allCases.contains { fields.unit(of: $0, in: row) != nil }
    }

    /// What is to be asked about its numbers, if most of them cannot be in metres or tonnes; nil: nothing.
    package var question: String? {
        for kind in LimitKind.allCases {
            guard let (all, strange) = unnamed[kind], strange * 2 > all else { continue }
            let units = kind.isMass ? "t, kg, lb, st" : "m, ft, in, cm, mm"
            return """
                \(strange) of \(all) numbers of \(kind.rawValue) are not within \
                \(kind.usual.lowerBound) to \(kind.usual.upperBound) \(kind.isMass ? "t" : "m"), as \
                such limits are; say what they are in: --unit \(kind.rawValue)=UNIT, one of \(units)
                """
        }
        return nil
    }

    private mutating func add(
        _ row: [String: String], _ source: String, _ number: Int, _ isLong: Bool
    ) {
        guard let place = place(row) else {
            let text =
                (fields.value(.latitude, row) ?? "") + " "
                + (fields.value(.longitude, row) ?? "")
            remark(.refused, source, text, "no position")
            return
        }
        let id = "\(name)-\(fields.value(.id, row) ?? "\(number)")"
        let title = fields.value(.title, row) ?? ""
        let direction = fields.value(.direction, row).flatMap { Double($0) }
            .flatMap { (-360...360).contains($0) ? turn(from: 0, to: $0) : nil }
            .map { $0 < 0 ? $0 + 360 : $0 }
        let limits = isLong ? unsure(row, source) : limits(row, source, place)
        if !limits.isEmpty { rowsTaken += 1 }
        for (limit, level) in limits {
            entries.append(
                Entry(
                    id: id, source: source, place: place, limit: limit, direction: direction,
                    title: title, level: level))
        }
    }

    /// Of a row with more fields than columns, whose values may be those of other columns.
    private mutating func unsure(
        _ row: [String: String], _ source: String
    ) -> [(Limit, Level)] {
        let reason = "more fields than columns"
        let text = fields.value(.height, row)
        guard fields.rules == .plain, let text else {
            remark(.refused, source, "", reason)
            return []
        }
        remark(.refused, source, text, LimitKind.height.told(unread: reason))
        return Limit(unread: text, reason, of: .height).map { [($0, .under)] } ?? []
    }

    private mutating func remark(
        _ outcome: ValueRemark.Outcome, _ source: String, _ text: String, _ reason: String
    ) {
        remarks.append(ValueRemark(outcome: outcome, object: source, tag: text, reason: reason))
    }

    private func place(_ row: [String: String]) -> Coordinate? {
        guard let latitude = fields.value(.latitude, row).flatMap(Self.number),
            let longitude = fields.value(.longitude, row).flatMap(Self.number)
        else { return nil }
        let place =
            switch fields.rules {
            case .plain: Coordinate(latitude: latitude, longitude: longitude)
            // West is positive there.
            case .bridgeInventory:
                Coordinate(latitude: Self.degrees(latitude), longitude: -Self.degrees(longitude))
            }
        // 0° 0° stands for no position.
        return place.isValid && (latitude != 0 || longitude != 0) ? place : nil
    }

    /// With a decimal point, or a comma; and with the side of the equator or of Greenwich: `97.3° W`.
    private static func number(_ text: String) -> Double? {
        var digits = text.trimmed.uppercased()
        var side: Character?
        if let first = digits.first, "NESW".contains(first) {
            side = digits.removeFirst()
        } else if let last = digits.last, "NESW".contains(last) {
            side = digits.removeLast()
        }
        let isNegative = side == "S" || side == "W"
        digits = String(digits.filter { $0 != "°" }).trimmed
        digits = String(digits.map { $0 == "," ? "." : $0 == "−" ? "-" : $0 })
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber || "+-.E".contains($0) }),
            let number = Double(digits), !isNegative || number >= 0
        else { return nil }
        return isNegative ? -number : number
    }

    /// DDDMMSSss, seconds with two decimals.
    private static func degrees(_ number: Double) -> Double {
        guard number.magnitude < 1e9 else { return .nan }
        let hundredths = number.magnitude.rounded()
        let degrees = (hundredths / 1e6).rounded(.down)
        let minutes = ((hundredths - degrees * 1e6) / 1e4).rounded(.down)
        let seconds = (hundredths - degrees * 1e6 - minutes * 1e4) / 100
        return degrees + minutes / 60 + seconds / 3600
    }

    private mutating func limits(
        _ row: [String: String], _ source: String, _ place: Coordinate
    ) -> [(Limit, Level)] {
        switch fields.rules {
        case .plain:
            let values = LimitKind.allCases.compactMap { kind in
                text(of: kind, row).map { (kind, $0) }
            }
            if values.isEmpty { remark(.leftOut, source, "", "no value") }
            return values.compactMap { kind, text in
                limit(kind, text, source).map { ($0, .under) }
            }
        case .bridgeInventory:
            return inventory(row, source)
        }
    }

    private func text(of kind: LimitKind, _ row: [String: String]) -> String? {
        if let split = splits[kind] { return split.text(of: row) }
        return ListFields.Role(rawValue: kind.rawValue).flatMap { fields.value($0, row) }
    }

    private mutating func limit(_ kind: LimitKind, _ text: String, _ source: String) -> Limit? {
        var bare = units[kind].map { MeasureText.BareNumber.of($0) } ?? .metric
        if let number = bareNumber(kind, text) {
            // -9999 and 0 stand for no value, and so does 99.99 where it is none.
            let isNone = Self.isNines(text) && !kind.plausible.contains(number * size(kind))
            guard number > 0, !isNone else {
                remark(.leftOut, source, text, "stands for no value")
                return nil
            }
            if units[kind] == nil {
                let isStrange = !kind.usual.contains(number)
                let (all, strange) = unnamed[kind] ?? (0, 0)
                unnamed[kind] = (all + 1, strange + (isStrange ? 1 : 0))
                let isPlausible = kind.plausible.contains(number)
                // Lists have high bridges too, but this may be one in feet. Of others nobody could be warned
                // without a number.
                if !isPlausible, kind != .height { bare = .guessedLow }
                if !isPlausible, kind == .height {
                    let range = "\(kind.plausible.lowerBound) to \(kind.plausible.upperBound)"
                    let reason = "not within \(range)"
                    remark(.refused, source, text, kind.told(unread: reason))
                    return Limit(unread: text, reason, of: kind)
                }
            }
        }
        switch LimitValue(text, of: kind, bare: bare) {
        case .number(let value, let doubt):
            if let doubt { remark(.doubtful, source, text, doubt) }
            if bare == .guessedLow { guessed[kind, default: 0] += 1 }
            return Limit(
                kind: kind, value: value, sign: sign(text, kind), basis: fields.basis,
                doubt: doubt)
        case .belowDefault:
            return Limit(kind: kind, value: nil, sign: text, basis: .belowDefault)
        case .refused(let reason):
            remark(.refused, source, text, kind.told(unread: reason))
            return Limit(unread: text, reason, of: kind)
        case .beyond: remark(.leftOut, source, text, kind.beyond)
        case .unlimited: remark(.leftOut, source, text, "no limit")
        case .nationalDefault: remark(.leftOut, source, text, "no sign: what the law allows")
        case .unknown: remark(.leftOut, source, text, "nothing is known")
        }
        return nil
    }

    /// Of a number without a unit, m or t.
    private func size(_ kind: LimitKind) -> Double { units[kind]?.size ?? 1 }

    /// 99, 999.9.
    static func isNines(_ text: String) -> Bool {
        let digits = text.filter { $0 != "." && $0 != "," }
        return text.hasPrefix("99") && digits.allSatisfy { $0 == "9" }
    }

    private func bareNumber(_ kind: LimitKind, _ text: String) -> Double? {
        Double(text)
            ?? MeasureText(MeasureText.normalized(text), kind, bare: .metric).bareNumber
    }

    /// As it stands there; a number with the unit of its column.
    private func sign(_ text: String, _ kind: LimitKind) -> String {
        guard let unit = units[kind], unit != .metre, unit != .tonne,
            bareNumber(kind, text) != nil
        else { return text }
        return "\(text) \(unit.rawValue)"
    }

    /// Items of the coding guide FHWA-PD-96-001: 5A is 1 for the road on a structure, 2 and letters
    /// for one under it; 10 the clearance of that road; 53 over the deck; 54A and B under it.
    private mutating func inventory(
        _ row: [String: String], _ source: String
    ) -> [(Limit, Level)] {
        var limits: [(Limit, Level)] = []
        func add(_ column: String, _ level: Level) {
            guard let text = row[column]?.trimmed, !text.isEmpty else { return }
            guard let value = Self.number(text) else {
                let reason = "not a number"
                let tag = "\(column)=\(text)"
                remark(.refused, source, tag, LimitKind.height.told(unread: reason))
                if let limit = Limit(unread: text, reason, of: .height) {
                    limits.append((limit, level))
                }
                return
            }
            // 0: does not apply; 99.99: none, or 30 m and more.
            guard value > 0, value <= LimitKind.height.plausible.upperBound else { return }
            guard value >= LimitKind.height.plausible.lowerBound else {
                remark(.refused, source, "\(column)=\(text)", "less than 1.0")
                return
            }
            let limit = Limit(kind: .height, value: value, sign: text, basis: fields.basis)
            limits.append((limit, level))
        }
        if row["record_type_005a"] == "1" {
            add("vert_clr_over_mt_053", .over)
            if row["vert_clr_und_ref_054a"] == "H" { add("vert_clr_und_054b", .under) }
        } else {
            add("min_vert_clr_010", .under)
        }
        if limits.isEmpty { remark(.leftOut, source, "", "no height that limits") }
        return limits
    }
}
