package import JSON
package import Model

/// The rule of a beacon fence as members of an object: among the properties of a GeoJSON Feature,
/// and of a fence on the bus.
package enum BeaconJSON {
    /// Reads the rule from an object with the properties ``FenceProperty/beacon`` and
    /// ``FenceProperty/ofBeacons``; others are ignored. `FenceRules` checks the ranges of its
    /// numbers with the fence.
    package static func rule(_ members: JSONValue) throws(BeaconFlaw) -> BeaconRule {
        guard let beacon = members["beacon"] else { throw BeaconFlaw("no beacon") }
        var rule = BeaconRule(try pattern(beacon))
        if let number = try integer("sightings", members) { rule.sightings = number }
        rule.leastRSSI = try integer("min_rssi", members)
        if let json = members["companion"] {
            guard let flag = json.bool else {
                throw BeaconFlaw("companion is neither true nor false")
            }
            rule.isCompanion = flag
        }
        if let json = members["group"] {
            guard let text = json.string else { throw BeaconFlaw("group is no string") }
            rule.group = text
        }
        return rule
    }

    /// Writes the members into the object that has been begun; default values are left out.
    static func write(_ rule: BeaconRule, to writer: inout JSONWriter) {
        writer.key("beacon")
        write(rule.pattern, to: &writer)
        if rule.sightings != BeaconRule.usualSightings {
            writer.key("sightings")
            writer.integer(rule.sightings)
        }
        if let least = rule.leastRSSI {
            writer.key("min_rssi")
            writer.integer(least)
        }
        if rule.isCompanion {
            writer.key("companion")
            writer.bool(true)
        }
        if let group = rule.group {
            writer.key("group")
            writer.string(group)
        }
    }

    private static func integer(
        _ key: String, _ members: JSONValue
    ) throws(BeaconFlaw) -> Int? {
        guard let json = members[key] else { return nil }
        // 2.0 is accepted too: on the bus every number may be a double.
        guard let number = json.double, let integer = Int(exactly: number) else {
            throw BeaconFlaw("\(key) is no whole number")
        }
        return integer
    }

    // MARK: - The pattern

    /// `{"uuid": "…", "major": 1, "minor": 2}`, the numbers or the minor number left out, or
    /// `{"namespace": "…", "instance": "…"}`, in hexadecimal digits.
    /// - Throws: for anything else; an unknown member is a mistake.
    package static func pattern(_ value: JSONValue) throws(BeaconFlaw) -> BeaconPattern {
        guard let members = value.object else { throw flaw("is no object") }
        let known = ["uuid", "major", "minor", "namespace", "instance"]
        var seen: Set<String> = []
        for member in members {
            guard known.contains(member.key) else {
                throw flaw("has a member \(excerpt(member.key))")
            }
            guard seen.insert(member.key).inserted else {
                throw flaw("has two members \(member.key)")
            }
        }
        let isEddystone = seen.contains("namespace") || seen.contains("instance")
        guard !isEddystone else { return try eddystone(value, seen) }
        guard let text = value["uuid"]?.string, let uuid = BeaconUUID(text) else {
            throw flaw("has no uuid of 32 hexadecimal digits")
        }
        let major = try number("major", value, seen)
        let minor = try number("minor", value, seen)
        switch (major, minor) {
        case (nil, nil): return .uuid(uuid)
        case (let major?, nil): return .major(uuid, major)
        case (let major?, let minor?): return .minor(uuid, major: major, minor: minor)
        case (nil, .some): throw flaw("has a minor without a major")
        }
    }

    /// The JSON text that ``pattern(_:)`` reads.
    package static func text(_ pattern: BeaconPattern) -> String {
        var writer = JSONWriter()
        write(pattern, to: &writer)
        return writer.text
    }

    /// Writes the JSON that ``pattern(_:)`` reads.
    package static func write(_ pattern: BeaconPattern, to writer: inout JSONWriter) {
        writer.beginObject()
        switch pattern {
        case .uuid(let uuid): write(uuid, to: &writer)
        case .major(let uuid, let major):
            write(uuid, to: &writer)
            writer.key("major")
            writer.integer(major)
        case .minor(let uuid, let major, let minor):
            write(uuid, to: &writer)
            writer.key("major")
            writer.integer(major)
            writer.key("minor")
            writer.integer(minor)
        case .namespace(let space): write(space, to: &writer)
        case .instance(let space, let instance):
            write(space, to: &writer)
            writer.key("instance")
            let digits = String(instance, radix: 16)
            writer.string(String(repeating: "0", count: max(12 - digits.count, 0)) + digits)
        }
        writer.endObject()
    }

    private static func write(_ uuid: BeaconUUID, to writer: inout JSONWriter) {
        writer.key("uuid")
        writer.string(uuid.text)
    }

    private static func write(_ space: BeaconNamespace, to writer: inout JSONWriter) {
        writer.key("namespace")
        writer.string(space.text)
    }

    private static func eddystone(
        _ value: JSONValue, _ seen: Set<String>
    ) throws(BeaconFlaw) -> BeaconPattern {
        guard seen.isDisjoint(with: ["uuid", "major", "minor"]) else {
            throw flaw("has a uuid and a namespace")
        }
        guard let text = value["namespace"]?.string, let space = BeaconNamespace(text) else {
            throw flaw("has no namespace of 20 hexadecimal digits")
        }
        guard let member = value["instance"] else { return .namespace(space) }
        guard let digits = member.string, digits.utf8.count == 12,
            digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
            let instance = UInt64(digits, radix: 16)
        else { throw flaw("has no instance of 12 hexadecimal digits") }
        return .instance(space, instance)
    }

    private static func number(
        _ key: String, _ value: JSONValue, _ seen: Set<String>
    ) throws(BeaconFlaw) -> UInt16? {
        guard seen.contains(key) else { return nil }
        guard let integer = value[key]?.integer, let number = UInt16(exactly: integer) else {
            throw flaw("has a \(key) that is not 0 to 65535")
        }
        return number
    }

    private static func flaw(_ what: String) -> BeaconFlaw { BeaconFlaw("beacon \(what)") }
}

/// Why a value does not describe beacons.
package struct BeaconFlaw: Error, Hashable, CustomStringConvertible {
    /// A sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
