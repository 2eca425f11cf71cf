import Bytes
import Formats
import GeoJSON
import Geodesy
import JSON
import Model
import Sentences
import Time

/// The properties of a Feature, from its text or as values. Known ones are consumed; the rest is
/// metadata. Of members with the same name the last counts; a null counts as missing.
protocol FeatureProperties {
    /// Whether that member is an object; it is not consumed.
    func isObject(_ key: StaticString) -> Bool
    /// The value of a member, which is not consumed; nil if it is missing, or too deep or too large.
    func value(of key: String) -> JSONValue?
    /// The value of a member, which may be null; nil if it is missing.
    mutating func takeValue(_ key: StaticString) throws(EntryFlaw) -> JSONValue?
    mutating func takeText(_ key: StaticString) throws(EntryFlaw) -> String?
    mutating func takeNumber(_ key: StaticString) throws(EntryFlaw) -> Double?
    mutating func takeFlag(_ key: StaticString) throws(EntryFlaw) -> Bool?
    /// Passes on the keys of the members that were not consumed.
    func forEachOther(_ body: (String) -> Void)
    /// The text of an object with the members that were not consumed.
    mutating func metadata() -> String
}

/// The limits of all properties of a Feature together.
enum FeatureLimits {
    /// Bytes of all members, as written: the longest description, with every character escaped, and
    /// the longest metadata.
    static let bytes = 512 * 1_024
    static let members = 10_000
    /// The error beyond these limits.
    static let flaw = "the properties are more than \(bytes) bytes or \(members) members"
}

extension FeatureProperties {
    /// The fence that they describe, with a geometry or with beacons.
    /// - Parameters:
    ///   - read: the geometry; nil if there is none.
    ///   - options: the length of a geometry that has none, and which property is the title.
    ///   - strays: names of members beside the properties, which are not read.
    mutating func fence(
        _ id: String, _ read: GeometryReader?, _ options: FenceFileReader.Options,
        strays: [String]
    ) throws(EntryFlaw) -> Fence {
        var title: String?
        if let key = options.titleProperty { title = try titleText(key) }
        var fence = try fence(id, read, options, strays)
        if let title { fence.title = title }
        return fence
    }

    /// The title in another property, which is not consumed: a text, or a number as it is written.
    private func titleText(_ key: String) throws(EntryFlaw) -> String? {
        switch value(of: key) {
        case nil, .null?: return nil
        case .string(let text)?: return text.isEmpty ? nil : text
        case .number(let number)?: return number.text
        default:
            throw EntryFlaw(reason: "\(excerpt(key)), the title, is neither a string nor a number")
        }
    }

    private mutating func fence(
        _ id: String, _ read: GeometryReader?, _ options: FenceFileReader.Options,
        _ strays: [String]
    ) throws(EntryFlaw) -> Fence {
        if isObject(FenceProperty.beacon.name) {
            guard read == nil else {
                throw EntryFlaw(reason: "a beacon and a geometry: one of them is null")
            }
            return try beacons(id)
        }
        guard let read else { throw EntryFlaw(reason: "no geometry") }
        if let members = try takeApproach() { return try approach(members, read, id) }
        var length: Double?
        if let key = read.lengthName {
            length = try takeNumber(key)
            if length == nil {
                let isRadius = key.byteView == FenceProperty.radius.name.byteView
                length = isRadius ? options.radius : options.width
                let property: FenceProperty = isRadius ? .radius : .width
                if length == nil, let near = keyMeaning(property) {
                    throw EntryFlaw(reason: "no \(key): is \(excerpt(near)) meant?")
                }
                let stray = strays.first { property.isMeant(byStray: $0) }
                if length == nil, let stray {
                    throw EntryFlaw(
                        reason: "no \(key): \"\(excerpt(stray))\" stands beside the properties, "
                            + "where it is not read")
                }
            }
        }
        return try fence(id, .area(try Area(entry: try Self.geometry(read, length))))
    }

    /// The first key that is nearly the name of that property.
    private func keyMeaning(_ property: FenceProperty) -> String? {
        var found: String?
        forEachOther { key in
            if found == nil, FenceProperty.meant(by: key) === property { found = key }
        }
        return found
    }

    /// To be called after the subject has consumed its properties.
    private mutating func fence(_ id: String, _ subject: FenceSubject) throws(EntryFlaw) -> Fence {
        var fence = Fence(id: id, subject: subject)
        for property in FenceProperty.fields {
            var value = try takeValue(of: property)
            if value == nil { value = try otherName(of: property) }
            if let value { property.assign(value, to: &fence) }
        }
        if let flaw = SayList.flaw(of: value(of: SayList.property)) {
            throw EntryFlaw(reason: flaw)
        }
        fence.metadata = metadata()
        return fence
    }

    /// The text of another name of the property, which is consumed. Published sets have a `name`, of
    /// whatever type and length: what is none is metadata.
    private mutating func otherName(
        of property: FenceProperty
    ) throws(EntryFlaw) -> PropertyValue? {
        for name in property.aliases {
            guard case .string(let text)? = value(of: name.description), !text.isEmpty,
                text.utf8.count <= FenceRules.longestTitle
            else { continue }
            _ = try takeValue(name)
            return .text(text)
        }
        return nil
    }

    private mutating func takeValue(
        of property: FenceProperty
    ) throws(EntryFlaw) -> PropertyValue? {
        switch property.form {
        case .text where property === FenceProperty.active: try takeHours().map { .text($0) }
        case .text: try takeText(property.name).map { .text($0) }
        case .flag: try takeFlag(property.name).map { .flag($0) }
        case .seconds: try takeNumber(property.name).map { .span(.seconds($0)) }
        case .number: try takeNumber(property.name).map { .number($0) }
        case .object: nil
        }
    }

    /// Other programs have a flag of that name: `true` stands for always.
    private mutating func takeHours() throws(EntryFlaw) -> String? {
        switch try takeValue(FenceProperty.active.name) {
        case nil, .null?, .bool(true)?: nil
        case let value?: try Self.text(value, FenceProperty.active.name)
        }
    }

    /// The members of an approach, as one object; nil if there is no `approach`.
    private mutating func takeApproach() throws(EntryFlaw) -> JSONValue? {
        guard let course = try takeValue(FenceProperty.approach.name), course != .null else {
            return nil
        }
        guard ApproachJSON.isApproach(course) else {
            throw EntryFlaw(reason: "approach is neither \"corridor\" nor \"cone\"")
        }
        return .object(
            [JSONMember("approach", course)] + (try take(FenceProperty.ofApproaches)))
    }

    /// The members that are present and not null.
    private mutating func take(
        _ properties: [FenceProperty]
    ) throws(EntryFlaw) -> [JSONMember] {
        var found: [JSONMember] = []
        for property in properties {
            guard let value = try takeValue(property.name), value != .null else { continue }
            found.append(JSONMember(property.name.description, value))
        }
        return found
    }

    /// The beacon fence, whose members are consumed.
    private mutating func beacons(_ id: String) throws(EntryFlaw) -> Fence {
        let members = JSONValue.object(
            try take([FenceProperty.beacon] + FenceProperty.ofBeacons))
        let rule: BeaconRule
        do throws(BeaconFlaw) { rule = try BeaconJSON.rule(members) } catch {
            throw EntryFlaw(reason: error.description)
        }
        return try fence(id, .beacons(rule))
    }

    private mutating func approach(
        _ members: JSONValue, _ read: GeometryReader, _ id: String
    ) throws(EntryFlaw) -> Fence {
        // All approaches have the same length, whatever the Feature says.
        let shape = try Self.geometry(read, Approach.coneRadius)
        do {
            let (approach, geometry) = try ApproachJSON.read(members, shape)
            var fence = try fence(id, .area(try Area(entry: geometry)))
            fence.approach = approach
            return fence
        } catch let flaw as EntryFlaw {
            throw flaw
        } catch {
            throw EntryFlaw(reason: "\(error)", position: shape.firstPosition)
        }
    }

    private static func geometry(
        _ read: GeometryReader, _ length: Double?
    ) throws(EntryFlaw) -> Geometry {
        do throws(GeometryFlaw) { return try read.geometry(length: length) } catch {
            throw EntryFlaw(reason: error.description)
        }
    }

    // The types of values; nil for a value that is too large.

    static func text(_ value: JSONValue?, _ key: StaticString) throws(EntryFlaw) -> String {
        guard case .string(let text)? = value else {
            throw EntryFlaw(reason: "\(key) is no string")
        }
        return text
    }

    /// A number in a string is refused: "50" might be in feet.
    static func number(_ value: JSONValue?, _ key: StaticString) throws(EntryFlaw) -> Double {
        guard case .number(let number)? = value else {
            throw EntryFlaw(reason: "\(key) is no number")
        }
        return number.double
    }

    static func flag(_ value: JSONValue?, _ key: StaticString) throws(EntryFlaw) -> Bool {
        guard case .bool(let flag)? = value else {
            throw EntryFlaw(reason: "\(key) is neither true nor false")
        }
        return flag
    }
}
