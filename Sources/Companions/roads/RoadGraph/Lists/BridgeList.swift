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
    /// Rows and values that were refused, or are used in doubt.
    package private(set) var remarks: [ValueRemark] = []
    /// Rows that tell of no limit.
    package private(set) var rowsWithoutLimit = 0

    private let fields: ListFields
    private let name: String

    /// Reads a file. Rows that cannot be used are remarked on, and the rest is used.
    /// - Parameter name: begins the ids of its hazards.
    package init(_ path: String, name: String, _ fields: ListFields) throws(ExtractError) {
        self.fields = fields
        self.name = name
        let table = try ListTable(path)
        if let row = table.rows.first?.values {
            // A list without the columns would be a thousand complaints instead of one.
            for role in [ListFields.Role.latitude, .longitude]
            where !(fields.columns[role] ?? []).contains(where: { row[$0.lowercased()] != nil }) {
                let names = (fields.columns[role] ?? []).joined(separator: " or ")
                throw ExtractError(path: path, reason: "no column \(names)")
            }
        }
        for (place, values) in table.rows { add(values, "\(name) row \(place)", place) }
    }

    private mutating func add(_ row: [String: String], _ source: String, _ number: Int) {
        guard let place = place(row) else {
            let text =
                (fields.value(.latitude, row) ?? "") + " "
                + (fields.value(.longitude, row) ?? "")
            refuse(source, text, "no position")
            return
        }
        let id = "\(name)-\(fields.value(.id, row) ?? "\(number)")"
        let title = fields.value(.title, row) ?? ""
        let direction = fields.value(.direction, row).flatMap { Double($0) }
            .flatMap { (-360...360).contains($0) ? turn(from: 0, to: $0) : nil }
            .map { $0 < 0 ? $0 + 360 : $0 }
        let limits = limits(row, source, place)
        if limits.isEmpty { rowsWithoutLimit += 1 }
        for (limit, level) in limits {
            entries.append(
                Entry(
                    id: id, source: source, place: place, limit: limit, direction: direction,
                    title: title, level: level))
        }
    }

    private mutating func refuse(_ source: String, _ text: String, _ reason: String) {
        remarks.append(
            ValueRemark(outcome: .refused, object: source, tag: text, reason: reason))
    }

    private func place(_ row: [String: String]) -> Coordinate? {
        guard let latitude = fields.value(.latitude, row).flatMap({ Double($0) }),
            let longitude = fields.value(.longitude, row).flatMap({ Double($0) })
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
            return LimitKind.allCases.compactMap { kind in
                guard let role = ListFields.Role(rawValue: kind.rawValue),
                    let text = fields.value(role, row)
                else { return nil }
                return limit(kind, text, source).map { ($0, .under) }
            }
        case .bridgeInventory:
            return inventory(row, source)
        }
    }

    private mutating func limit(_ kind: LimitKind, _ text: String, _ source: String) -> Limit? {
        // -9999 stands for no value.
        if Double(text) == -9999 { return nil }
        let normal = MeasureText.normalized(text)
        guard let measure = MeasureText(normal).measure(kind, bare: .metric) else {
            refuse(source, text, "not a number with a unit")
            return nil
        }
        // Lists have high bridges too, which limit nothing.
        guard measure.value <= kind.plausible.upperBound else { return nil }
        guard measure.value >= kind.plausible.lowerBound else {
            refuse(source, text, "less than \(kind.plausible.lowerBound)")
            return nil
        }
        if let doubt = measure.doubt {
            remarks.append(
                ValueRemark(outcome: .doubtful, object: source, tag: text, reason: doubt))
        }
        return Limit(
            kind: kind, value: measure.value, sign: text, basis: fields.basis,
            doubt: measure.doubt)
    }

    /// Items of the coding guide FHWA-PD-96-001: 5A is 1 for the road on a structure, 2 and letters
    /// for one under it; 10 the clearance of that road; 53 over the deck; 54A and B under it.
    private mutating func inventory(
        _ row: [String: String], _ source: String
    ) -> [(Limit, Level)] {
        var limits: [(Limit, Level)] = []
        func take(_ column: String, _ level: Level) {
            guard let text = row[column], let value = Double(text) else { return }
            // 0: does not apply; 99.99: none, or 30 m and more.
            guard value > 0, value <= LimitKind.height.plausible.upperBound else { return }
            guard value >= LimitKind.height.plausible.lowerBound else {
                refuse(source, "\(column)=\(text)", "less than 1.0")
                return
            }
            let limit = Limit(kind: .height, value: value, sign: text, basis: fields.basis)
            limits.append((limit, level))
        }
        if row["record_type_005a"] == "1" {
            take("vert_clr_over_mt_053", .over)
            if row["vert_clr_und_ref_054a"] == "H" { take("vert_clr_und_054b", .under) }
        } else {
            take("min_vert_clr_010", .under)
        }
        return limits
    }
}
