import Formats
package import Geodesy
import JSON
package import Model
package import Systemd
import Time

/// Why a fence from the bus was refused.
package struct FenceProblem: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

/// A fence on D-Bus: `(sa{sv})`, its id and its properties, in the same form for `ApplyFences` and
/// from `GetFence` and `ListFences`.
///
/// A circle: `latitude`, `longitude`, `radius`. Any area: `geometry`, the text of a GeoJSON
/// geometry (Polygon, MultiPolygon; Point with `radius`; LineString or
/// MultiLineString with `width`). An `approach` is the text of a JSON object, and the geometry that
/// of its legs or its point. Beacons: `beacon`, an `a{sv}`, instead of an area. `radius` and
/// `width` are in metres, `d` or any integer, and so are properties in seconds (`dwell`); texts are
/// `s` and flags `b`, as in ``FenceProperty/fields``; `metadata` is `a{sv}`. Every other property
/// becomes metadata, as in a GeoJSON file.
package enum FenceMessage {
    /// The signature of one fence.
    package static let signature = "(sa{sv})"
    /// The fence. The catalogue limits the length of its texts.
    /// - Parameter budget: what the area may cost, which is deducted.
    /// - Throws: ``FenceProblem``, without the id.
    package static func fence(
        id: String, _ properties: [String: BusValue], within budget: inout AreaBudget
    ) throws(FenceProblem) -> Fence {
        var taker = PropertyTaker(properties: properties)
        var fence: Fence
        if let rule = try taker.beacons() {
            fence = Fence(id: id, subject: .beacons(rule))
        } else {
            var geometry = try taker.geometry()
            let approach = try taker.approach(&geometry)
            fence = Fence(id: id, area: try area(geometry, within: &budget))
            fence.approach = approach
        }
        for (property, value) in try taker.fields() { property.assign(value, to: &fence) }
        fence.metadata = try taker.metadata(of: fence)
        return fence
    }

    private static func area(
        _ geometry: Geometry, within budget: inout AreaBudget
    ) throws(FenceProblem) -> Area {
        let fresh = budget
        do throws(AreaError) { return try Area(geometry, within: &budget) } catch {
            let isFirst = fresh == .geometry
            throw FenceProblem(
                budget.isExhausted && !isFirst
                    ? "all areas of one call together: \(error.description)" : error.description)
        }
    }

    /// The same, within the budget of one geometry.
    package static func fence(
        id: String, _ properties: [String: BusValue]
    ) throws(FenceProblem) -> Fence {
        var budget = AreaBudget.geometry
        return try fence(id: id, properties, within: &budget)
    }

    /// Its approximate size on the bus, bytes, without encoding it.
    package static func size(_ fence: Fence) -> Int {
        let vertices =
            switch fence.area?.geometry {
            case .circle, nil: 0
            case .corridor(let line, _): line.count
            case .lines(let lines, _): lines.reduce(0) { $0 + $1.count }
            case .polygons(let parts): parts.joined().reduce(0) { $0 + $1.count }
            }
        // Two numbers of up to 20 digits each.
        // The approach as a text: of a leg two names, beside its numbers.
        let rivals = fence.approach?.rivals.reduce(0) { $0 + $1.count } ?? 0
        let legs = (fence.approach?.legs.count ?? 0) * 300
        return 512 + legs + (vertices + rivals) * 44 + fence.title.utf8.count
            + fence.description.utf8.count
            + 2 * fence.metadata.utf8.count
    }

    /// `(sa{sv})`
    package static func structure(_ known: CatalogueFence) -> BusValue {
        .structure([.string(known.fence.id), properties(known)])
    }

    /// `a{sv}`
    package static func properties(_ known: CatalogueFence) -> BusValue {
        let fence = known.fence
        var entries: [(String, BusValue)]
        switch (fence.subject, fence.approach) {
        case (.area(let area), let approach?):
            entries =
                [("approach", .string(ApproachJSON.text(approach, of: area)))]
                + place(ApproachJSON.geometry(approach, of: area))
        case (.area(let area), nil): entries = place(area.geometry)
        case (.beacons(let rule), _): entries = beacons(rule)
        }
        for property in FenceProperty.fields {
            guard let value = property.value(in: fence) else { continue }
            entries.append((property.name.description, BusValue(value)))
        }
        entries.append(("metadata", BusValue(metadata: fence.metadata)))
        entries.append(("origin", .string(known.origin.name)))
        return .dictionary(entries)
    }

    private static func place(_ shape: Geometry) -> [(String, BusValue)] {
        switch shape {
        case .circle(let center, let radius):
            [
                ("latitude", .double(center.latitude)), ("longitude", .double(center.longitude)),
                ("radius", .double(radius)),
            ]
        case .corridor(_, let width), .lines(_, let width):
            [("geometry", .string(GeometryText.text(shape))), ("width", .double(width))]
        case .polygons: [("geometry", .string(GeometryText.text(shape)))]
        }
    }

    private static func beacons(_ rule: BeaconRule) -> [(String, BusValue)] {
        var entries: [(String, BusValue)] = [
            ("beacon", BusValue(metadata: BeaconJSON.text(rule.pattern))),
            ("sightings", .double(Double(rule.sightings))),
            ("companion", .bool(rule.isCompanion)),
        ]
        if let least = rule.leastRSSI { entries.append(("min_rssi", .double(Double(least)))) }
        if let group = rule.group { entries.append(("group", .string(group))) }
        return entries
    }
}

extension CatalogueFence {
    /// From an id and its properties.
    /// - Throws: ``FenceProblem`` for properties unknown to this version.
    package init(id: String, _ properties: [String: BusValue]) throws(FenceProblem) {
        self.init(
            fence: try FenceMessage.fence(id: id, properties),
            origin: FenceOrigin(name: properties["origin"]?.asString ?? ""))
    }
}

/// Removes the known properties; the rest is metadata.
private struct PropertyTaker {
    var properties: [String: BusValue]

    mutating func geometry() throws(FenceProblem) -> Geometry {
        let radius = try number("radius")
        let width = try number("width")
        let latitude = try number("latitude")
        let longitude = try number("longitude")
        if let value = properties.removeValue(forKey: "geometry") {
            guard let text = value.asString else {
                throw FenceProblem("geometry is no string but of type \(value.signature)")
            }
            guard latitude == nil, longitude == nil else {
                throw FenceProblem("both geometry and latitude, longitude")
            }
            return try GeometryText.parse(text) { name in
                name.description == "radius" ? radius : width
            }
        }
        guard let latitude, let longitude, let radius else {
            throw FenceProblem("needs geometry, or latitude, longitude and radius")
        }
        return .circle(
            center: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
    }

    /// Nil if there is no `beacon` that is a dictionary.
    mutating func beacons() throws(FenceProblem) -> BeaconRule? {
        guard properties["beacon"]?.asDictionary != nil else { return nil }
        for key in ["geometry", "latitude", "longitude", "radius", "width", "approach"]
        where properties[key] != nil {
            throw FenceProblem("both beacon and \(key)")
        }
        var members: [JSONMember] = []
        for property in [FenceProperty.beacon] + FenceProperty.ofBeacons {
            let name = property.name.description
            guard let value = properties.removeValue(forKey: name) else { continue }
            guard let json = JSONValue(value) else {
                throw FenceProblem("\(name) is nothing that JSON can say")
            }
            members.append(JSONMember(name, json))
        }
        do throws(BeaconFlaw) {
            return try BeaconJSON.rule(.object(members))
        } catch {
            throw FenceProblem(error.description)
        }
    }

    /// Nil where there is none; else `geometry`, that of the legs or of the point, becomes that of
    /// the area.
    mutating func approach(_ geometry: inout Geometry) throws(FenceProblem) -> Approach? {
        guard let text = try text("approach") else { return nil }
        guard let members = try? JSONValue(parsing: text) else {
            throw FenceProblem("approach is no JSON, or too deep")
        }
        do throws(ApproachFlaw) {
            let (approach, area) = try ApproachJSON.read(members, geometry)
            geometry = area
            return approach
        } catch {
            throw FenceProblem(error.description)
        }
    }

    mutating func number(_ key: String) throws(FenceProblem) -> Double? {
        guard let value = properties.removeValue(forKey: key) else { return nil }
        guard let number = value.asDouble else {
            throw FenceProblem("\(key) is no number but of type \(value.signature)")
        }
        return number
    }

    private mutating func text(_ key: String) throws(FenceProblem) -> String? {
        guard let value = properties.removeValue(forKey: key) else { return nil }
        guard let text = value.asString else {
            throw FenceProblem("\(key) is no string but of type \(value.signature)")
        }
        return text
    }

    private mutating func flag(_ key: String) throws(FenceProblem) -> Bool? {
        guard let value = properties.removeValue(forKey: key) else { return nil }
        guard let flag = value.asBool else {
            throw FenceProblem("\(key) is neither true nor false but of type \(value.signature)")
        }
        return flag
    }

    private mutating func span(_ key: String) throws(FenceProblem) -> TimeSpan? {
        guard let seconds = try number(key) else { return nil }
        guard seconds.isFinite else { throw FenceProblem("\(key) is not finite") }
        return .seconds(seconds)
    }

    /// Those that are fields of a fence, if present.
    mutating func fields() throws(FenceProblem) -> [(FenceProperty, PropertyValue)] {
        var fields: [(FenceProperty, PropertyValue)] = []
        for property in FenceProperty.fields {
            let name = property.name.description
            let value: PropertyValue? =
                switch property.form {
                case .text: try text(name).map { .text($0) }
                case .flag: try flag(name).map { .flag($0) }
                case .seconds: try span(name).map { .span($0) }
                case .number: try number(name).map { .number($0) }
                case .object: nil
                }
            if let value { fields.append((property, value)) }
        }
        return fields
    }

    /// The text of an object with the rest.
    mutating func metadata(of fence: Fence) throws(FenceProblem) -> String {
        var members: [JSONMember] = []
        var given: [String: BusValue] = [:]
        if let value = properties.removeValue(forKey: "metadata") {
            guard let dictionary = value.asDictionary else {
                throw FenceProblem("metadata is no dictionary but of type \(value.signature)")
            }
            given = dictionary
        }
        for property in FenceProperty.standing(in: .busTold) {
            properties[property.name.description] = nil
        }
        // In a fixed order, so that the same batch twice changes nothing.
        for (key, value) in properties.merging(given, uniquingKeysWith: { $1 })
            .sorted(by: { $0.key < $1.key })
        {
            guard let json = JSONValue(value) else {
                throw FenceProblem("metadata \"\(key.echoed())\" is nothing that JSON can say")
            }
            members.append(JSONMember(key, json))
        }
        if let flaw = FenceFeature.flaw(ofMetadata: members, in: fence) { throw FenceProblem(flaw) }
        return JSONValue.object(members).text
    }
}

extension BusValue {
    fileprivate init(_ value: PropertyValue) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .flag(let flag): .bool(flag)
            case .span(let span): .double(span.seconds)
            case .number(let number): .double(number)
            }
    }
}
