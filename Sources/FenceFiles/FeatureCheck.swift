import Bytes
import GeoJSON
package import JSON
package import Model

/// Checks a Feature whose parts are in memory as values, by the rules for its text in a fence file:
/// a program that writes such a file knows the result without reading it again.
package enum FeatureCheck {
    /// Why a ``FenceFileReader`` refuses it.
    package struct Flaw: Error, Hashable, Sendable {
        /// A phrase without a full stop.
        package let reason: String
    }

    /// The fence that a ``FenceFileReader`` makes of it.
    /// - Parameters:
    ///   - bytes: the size of the properties as written: keys without their quotes, and values.
    ///   - strays: names of members beside the properties, which are not read.
    /// - Throws: ``Flaw`` if it refuses it.
    package static func fence(
        id: String, geometry: JSONValue, properties: [JSONMember], bytes: Int, strays: [String] = []
    ) throws(Flaw) -> Fence {
        guard bytes <= FeatureLimits.bytes, properties.count <= FeatureLimits.members else {
            throw Flaw(reason: FeatureLimits.flaw)
        }
        var read: GeometryReader?
        if case .object = geometry {
            read = GeometryReader()
            read?.take(geometry)
        } else if geometry != .null, geometry != .array([]) {
            throw Flaw(reason: "a geometry that is no object")
        }
        var values = FeatureValues(properties)
        let fence: Fence
        do throws(EntryFlaw) { fence = try values.fence(id, read, .init(), strays: strays) } catch {
            throw Flaw(reason: error.reason)
        }
        if let reason = FenceRules.flaw(fence) { throw Flaw(reason: reason) }
        return fence
    }
}

/// The properties of a Feature as values.
private struct FeatureValues: FeatureProperties {
    private var members: [JSONMember]
    private var isTaken: [Bool]

    init(_ members: [JSONMember]) {
        self.members = members
        isTaken = Array(repeating: false, count: members.count)
    }

    func isObject(_ key: StaticString) -> Bool {
        let member = members.last { member in
            member.key.withByteView { $0 == key.byteView }
        }
        if case .object? = member?.value { return true }
        return false
    }

    func value(of key: String) -> JSONValue? { members.last { $0.key == key }?.value }

    mutating func takeValue(_ key: StaticString) -> JSONValue? {
        var last: JSONValue?
        for index in members.indices where !isTaken[index] {
            guard members[index].key.withByteView({ $0 == key.byteView }) else { continue }
            isTaken[index] = true
            last = members[index].value
        }
        return last
    }

    mutating func takeText(_ key: StaticString) throws(EntryFlaw) -> String? {
        guard let value = takeValue(key), value != .null else { return nil }
        return try Self.text(value, key)
    }

    mutating func takeNumber(_ key: StaticString) throws(EntryFlaw) -> Double? {
        guard let value = takeValue(key), value != .null else { return nil }
        return try Self.number(value, key)
    }

    mutating func takeFlag(_ key: StaticString) throws(EntryFlaw) -> Bool? {
        guard let value = takeValue(key), value != .null else { return nil }
        return try Self.flag(value, key)
    }

    func forEachOther(_ body: (String) -> Void) {
        for index in members.indices where !isTaken[index] { body(members[index].key) }
    }

    func metadata() -> String {
        guard isTaken.contains(false) else { return "{}" }
        var writer = JSONWriter()
        writer.beginObject()
        for index in members.indices where !isTaken[index] {
            writer.key(members[index].key)
            writer.value(members[index].value)
        }
        writer.endObject()
        return writer.text
    }
}
