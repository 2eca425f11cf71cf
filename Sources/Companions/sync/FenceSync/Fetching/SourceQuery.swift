import HTTP
import JSON

/// What a source is asked for.
struct SourceQuery {
    let settings: SourceSettings
    /// OData's version, 2 or 4.
    let version: Int
    /// Nil: everything.
    let area: AskedArea?
    /// Entries are asked for in this order and this many at a time, for servers that give a part
    /// and no link to the next.
    var pagesByHand = false
    /// In place of the area's box, a half of it.
    private var half: QueryArea?

    init(settings: SourceSettings, version: Int, area: AskedArea?) {
        self.settings = settings
        self.version = version
        self.area = area
    }

    /// What together asks for the area: two, for an OGC API and a box across 180°. pygeoapi over
    /// PostGIS answers a bbox with west beyond east with the wrong side of the Earth, although the
    /// standard has it (OGC 17-069r4, 7.15.3).
    var parts: [SourceQuery] {
        guard settings.kind == .ogcapi, let box = area?.box, box.isAcross else { return [self] }
        return box.halves.map {
            var part = self
            part.half = $0
            return part
        }
    }

    /// Header fields of every page.
    var fields: [(name: String, value: String)] {
        switch settings.kind {
        case .odata where version == 2:
            [("Accept", "application/json"), ("MaxDataServiceVersion", "2.0")]
        case .odata:
            [
                ("Accept", "application/json;odata.metadata=minimal"), ("OData-MaxVersion", "4.01"),
                (
                    "Prefer",
                    "odata.maxpagesize=\(settings.pageSize)"
                        + (tracksChanges ? ",odata.track-changes" : "")
                ),
            ]
        case .ogcapi, .geojson:
            [("Accept", "application/geo+json, application/json;q=0.9")]
        }
    }

    /// Whether a link to later changes is requested (OData Protocol 4.01, 8.2.8.6).
    var tracksChanges: Bool { settings.tracksChanges && area == nil && !pagesByHand }

    /// The page that begins with entry `start`, from 0.
    func page(from start: Int) throws(FlawedAddress) -> WebAddress {
        guard let address = settings.address else { throw FlawedAddress() }
        switch settings.kind {
        case .odata:
            var parameters: [(name: String, value: String)] = []
            if version == 2 {
                parameters = [("$format", "json"), ("$inlinecount", "allpages")]
            } else {
                parameters = [("$count", "true")]
            }
            if let filter { parameters.append(("$filter", filter)) }
            if pagesByHand {
                parameters += [
                    ("$orderby", key), ("$top", "\(settings.pageSize)"), ("$skip", "\(start)"),
                ]
            }
            return try address.appending(path: settings.entitySet).appending(query: parameters)
        case .ogcapi:
            var parameters = [("limit", "\(settings.pageSize)")]
            if let area = half ?? area?.box {
                let corners = [area.west, area.south, area.east, area.north]
                parameters.append(("bbox", corners.map(Self.decimal).joined(separator: ",")))
            }
            return try address.appending(path: "collections/\(settings.collection)/items")
                .appending(query: parameters)
        case .geojson where settings.usesStartIndex:
            return try address.appending(query: [
                ("count", "\(settings.pageSize)"), ("startIndex", "\(start)"),
            ])
        case .geojson: return address
        }
    }

    /// The path of the key.
    private var key: String { keyPath.joined(separator: "/") }

    /// The names of members, from the outermost one.
    var keyPath: [String] {
        guard case .path(let names)? = settings.fields.origins[.id] else { return ["ID"] }
        return names
    }

    private func path(_ field: FieldMap.Field, _ usual: String) -> String {
        guard case .path(let names)? = settings.fields.origins[field] else { return usual }
        return names.joined(separator: "/")
    }

    /// The administrator's filter and the area, joined.
    var filter: String? {
        let parts = [settings.filter.isEmpty ? nil : settings.filter, place].compactMap(\.self)
        guard parts.count > 1 else { return parts.first }
        return parts.map { "(\($0))" }.joined(separator: " and ")
    }

    private var place: String? {
        guard let area else { return nil }
        if !settings.nearby.distanceField.isEmpty, version == 4 {
            let point = "\(Self.decimal(area.longitude)) \(Self.decimal(area.latitude))"
            let radius = Self.decimal(area.radius / settings.nearby.distanceUnit)
            return "geo.distance(\(settings.nearby.distanceField),"
                + "geography'SRID=4326;POINT(\(point))') le \(radius)"
        }
        let box = area.box
        let (latitude, longitude) = (path(.latitude, "Latitude"), path(.longitude, "Longitude"))
        let rows = "\(latitude) ge \(literal(box.south)) and \(latitude) le \(literal(box.north))"
        let from = "\(longitude) ge \(literal(box.west))"
        let to = "\(longitude) le \(literal(box.east))"
        return box.isAcross ? "\(rows) and (\(from) or \(to))" : "\(rows) and \(from) and \(to)"
    }

    /// Version 2 takes a bare 49.2 for something else: pyslet answers "Illegal literal for Int32".
    private func literal(_ value: Double) -> String {
        Self.decimal(value) + (version == 2 ? "D" : "")
    }

    private static func decimal(_ value: Double) -> String {
        JSONValue(value).text
    }
}
