/// Which columns of a road authority's list say what; names are compared without case.
package struct ListFields: Sendable {
    /// What a value of a list is for.
    package enum Role: String, CaseIterable, Sendable {
        /// Of the row.
        case id
        /// Degrees.
        case latitude, longitude
        /// The limit of height, with its unit, else m.
        case height
        case width, length, weight
        case axleLoad = "axle-load"
        /// Of travel, degrees from north.
        case direction
        /// What the place is called; names the lower road before the word UNDER.
        case title
    }

    /// How the numbers of a list are meant.
    package enum Rules: Sendable {
        /// Decimal degrees, values as on signs.
        case plain
        /// The National Bridge Inventory of the United States: positions in degrees, minutes and
        /// seconds without separators, clearances over and under a bridge.
        case bridgeInventory
    }

    /// By role: the column's name, or names of which one is there.
    package private(set) var columns: [Role: [String]]
    /// How the values came about.
    package let basis: LimitBasis
    /// How numbers are meant.
    package let rules: Rules
    /// What numbers without a unit are in, where that is known.
    private var units: [LimitKind: MeasureUnit] = [:]

    /// The columns of a known list.
    /// - Parameter format: `wsdot`, `brisbane`, `nbi` or `networkrail`.
    package init?(format: String) {
        switch format {
        case "wsdot":
            // Washington State Department of Transportation: least measured clearance.
            columns = [
                .id: ["id"], .latitude: ["lat"], .longitude: ["lon"],
                .height: ["min_clearance_ftin"], .title: ["description"],
            ]
            (basis, rules) = (.measured, .plain)
        case "brisbane":
            columns = [
                .id: ["ASSET_ID"], .latitude: ["Latitude"], .longitude: ["Longitude"],
                .height: ["Signed_Clearance"], .direction: ["Angle 2"], .title: ["Description"],
            ]
            (basis, rules) = (.signed, .plain)
            units = [.height: .metre]
        case "nbi":
            columns = [
                .id: ["STRUCTURE_NUMBER_008"], .latitude: ["LAT_016"], .longitude: ["LONG_017"],
                .title: ["FEATURES_DESC_006A"],
            ]
            (basis, rules) = (.measured, .bridgeInventory)
        case "networkrail":
            columns = [
                .id: ["bridge_id", "Bridge ID", "id"], .latitude: ["latitude", "lat"],
                .longitude: ["longitude", "lon"],
                .height: ["signed_height_m", "height_m", "height"],
                .title: ["name", "location"],
            ]
            (basis, rules) = (.signed, .plain)
            units = [.height: .metre]
        default:
            return nil
        }
    }

    /// Columns by roles: `id=Nr,latitude=Y,longitude=X,height=Clearance`.
    /// - Parameter text: what is wrong is the error's reason.
    package init(parsing text: String) throws(ExtractError) {
        columns = [:]
        for word in text.split(separator: ",") {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let role = Role(rawValue: String(parts[0])) else {
                let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw ExtractError(
                    path: String(word), reason: "not ROLE=COLUMN with one of the roles \(roles)")
            }
            columns[role] = [String(parts[1])]
        }
        let values: Set<Role> = [.height, .width, .length, .weight, .axleLoad]
        guard columns[.latitude] != nil, columns[.longitude] != nil,
            !values.isDisjoint(with: columns.keys)
        else {
            throw ExtractError(path: text, reason: "latitude, longitude or a limit is missing")
        }
        (basis, rules) = (.signed, .plain)
    }

    /// Sets the units of numbers that have none: `height=ft,width=in`.
    /// - Parameter text: what is wrong is the error's reason.
    package mutating func setUnits(parsing text: String) throws(ExtractError) {
        for word in text.split(separator: ",") {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let kind = LimitKind(rawValue: String(parts[0])),
                let unit = MeasureUnit(name: parts[1].lowercased(), isMass: kind.isMass),
                unit.isMass == kind.isMass
            else {
                let units = MeasureUnit.allCases.map(\.rawValue).joined(separator: ", ")
                throw ExtractError(
                    path: String(word), reason: "not ROLE=UNIT with one of the units \(units)")
            }
            units[kind] = unit
        }
    }

    /// What a number of that kind without a unit is in: as it is given, else as a row of units or the
    /// column's name says.
    /// - Parameters:
    ///   - columns: of the table, by their names in small letters.
    ///   - unitRow: the row under the header that has the units, if there is one.
    func unit(
        of kind: LimitKind, _ columns: [String: String], unitRow: [String: String]
    ) -> MeasureUnit? {
        units[kind] ?? unit(of: kind, in: unitRow)
            ?? present(kind, columns).compactMap { MeasureUnit(column: $0, isMass: kind.isMass) }
            .first
    }

    /// The column of that kind with the one that has the rest of its values; nil: it stands alone.
    /// - Parameters:
    ///   - columns: of the table, by their names in small letters.
    ///   - unit: what its numbers are in; nil: nothing says so.
    ///   - unitRow: the row under the header that has the units, if there is one.
    func split(
        _ kind: LimitKind, _ columns: [String: String], _ unit: MeasureUnit?,
        unitRow: [String: String]
    ) -> SplitColumn? {
        present(kind, columns).first.flatMap { name in
            SplitColumn(
                name, in: unit ?? (kind.isMass ? .tonne : .metre), among: withoutRole(columns)
            ) { unitRow[$0.lowercased()].flatMap { Self.unit($0, isMass: kind.isMass) } }
        }
    }

    /// Columns without a role that are in inches, as they are written.
    func inches(_ columns: [String: String], unitRow: [String: String]) -> [String] {
        withoutRole(columns).filter { name in
            let told = unitRow[name.lowercased()].flatMap { Self.unit($0, isMass: false) }
            return (told ?? MeasureUnit(column: name, isMass: false)) == .inch
        }
    }

    private func withoutRole(_ columns: [String: String]) -> [String] {
        let named = Set(self.columns.values.joined().map { $0.lowercased() })
        return columns.filter { !named.contains($0.key) }.values.sorted()
    }

    /// The names of the columns of that kind that are there, as they are written.
    private func present(_ kind: LimitKind, _ columns: [String: String]) -> [String] {
        let names = Role(rawValue: kind.rawValue).flatMap { self.columns[$0] } ?? []
        return names.compactMap { columns[$0.lowercased()] }
    }

    /// A list without the columns would be a thousand complaints instead of one, and one that has a column
    /// twice would be read from either.
    func check(_ table: ListTable, _ path: String) throws(ExtractError) {
        let limits = LimitKind.allCases.compactMap { Role(rawValue: $0.rawValue) }
        for role in [.latitude, .longitude] + limits {
            guard let names = columns[role] else { continue }
            let present = names.filter { table.columns[$0.lowercased()] != nil }
            guard let name = present.first else {
                throw ExtractError(
                    path: path, reason: "no column \(names.joined(separator: " or "))")
            }
            guard !table.repeated.contains(name.lowercased()) else {
                throw ExtractError(path: path, reason: "more than one column \(name)")
            }
        }
    }

    /// What the cell of that kind has, if it is nothing but a unit: `ft`, `[cm]`.
    func unit(of kind: LimitKind, in row: [String: String]) -> MeasureUnit? {
        Role(rawValue: kind.rawValue).flatMap { value($0, row) }
            .flatMap { Self.unit($0, isMass: kind.isMass) }
    }

    private static func unit(_ text: String, isMass: Bool) -> MeasureUnit? {
        let word = text.lowercased().filter { !"()[]. ".contains($0) }
        let unit =
            ["ft-in", "ft/in", "ftin"].contains(word)
            ? .foot : MeasureUnit(name: word, isMass: isMass)
        return unit.flatMap { $0.isMass == isMass ? $0 : nil }
    }

    /// The value of a role in a row with these columns, in small letters; nil: there is none.
    func value(_ role: Role, _ row: [String: String]) -> String? {
        for name in columns[role] ?? [] {
            if let value = row[name.lowercased()]?.trimmed, !value.isEmpty { return value }
        }
        return nil
    }
}

extension String {
    /// Without spaces of any kind at the ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
