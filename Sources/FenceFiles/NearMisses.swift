import Bytes
import Formats
import JSON
package import Model

/// Keys of metadata that are nearly the names of properties which the fence could have had and has not;
/// or, where nothing is read, that are these names.
package struct NearMisses {
    private struct Miss {
        let key: String
        let property: FenceProperty
        /// The number of the first fence that has it.
        let first: Int
        var count = 0
    }

    /// Whether they are metadata.
    private let areRead: Bool
    /// What fences are numbered by, in words.
    private let unit: String
    private var misses: [Miss] = []
    /// By key, which of the misses; nil for one that is like no property.
    private var known: [String: Int?] = [:]
    /// So many keys are remembered; others are not looked at.
    private static let mostKeys = 10_000
    /// So many are named.
    private static let mostNamed = 10

    /// - Parameters:
    ///   - areRead: whether they are kept as metadata.
    ///   - unit: what fences are numbered by, in words.
    package init(areRead: Bool = true, by unit: String = "line") {
        self.areRead = areRead
        self.unit = unit
    }

    /// Notes a key of a fence.
    /// - Parameters:
    ///   - number: of the fence: its line, for example.
    ///   - options: with which the fence was read.
    package mutating func note(
        _ key: String, of fence: Fence, _ number: Int, _ options: FenceFileReader.Options
    ) {
        if case .some(nil) = known[key] { return }
        let property = areRead ? FenceProperty.meant(by: key) : FenceProperty.meant(byStray: key)
        guard let property else {
            if known.count < Self.mostKeys { known[key] = .some(nil) }
            return
        }
        guard property.isMissed(in: fence, options) else { return }
        if case .some(let index?) = known[key] {
            misses[index].count += 1
        } else if known.count < Self.mostKeys {
            known[key] = misses.count
            misses.append(Miss(key: key, property: property, first: number, count: 1))
        }
    }

    /// A phrase for each, of the first few.
    /// - Parameter entries: how many there were to be noted.
    package func warnings(of entries: Int) -> [String] {
        var texts = misses.prefix(Self.mostNamed).map { miss in
            let kind = miss.property === FenceProperty.limits ? ", of an approach," : ""
            return "\"\(excerpt(miss.key))\" is \(fate), in \(miss.count) of "
                + "\(counted(entries, "entry", "entries")), first in \(unit) \(miss.first): is "
                + "\(miss.property.name)\(kind) meant?"
        }
        let rest = misses.count - texts.count
        if rest > 0 {
            texts.append(
                "\(counted(rest, "more key is", "more keys are")) nearly that of a property, and \(fate)"
            )
        }
        return texts
    }

    private var fate: String { areRead ? "kept as metadata" : "not read where it stands" }
}

extension FenceProperty {
    /// With what their names and other names are compared.
    private static let spellings: [(property: FenceProperty, name: String, others: [String])] =
        standing(in: [.feature, .column]).filter { $0 !== id }.map { property in
            (
                property, plain(property.name.description),
                (property.aliases.map(\.description) + property.otherPrograms).map(plain)
            )
        }

    /// The property whose name is nearly this one, or one of whose other names it is; nil if there is
    /// none, or if it is the name of a property.
    static func meant(by key: String) -> FenceProperty? {
        let word = plain(key)
        guard !spellings.contains(where: { $0.property.isCalled(key) }) else { return nil }
        if let same = spellings.first(where: { $0.name == word || $0.others.contains(word) }) {
            return same.property
        }
        return spellings.first { property, name, _ in
            // An altitude is no latitude.
            let most = property.places.contains(.feature) ? 2 : 1
            let limit = name.count >= 8 ? most : name.count >= 4 ? 1 : 0
            return limit > 0 && word.editDistance(to: name, atMost: limit) != nil
        }?.property
    }

    /// The property of a Feature that has this name, or nearly.
    fileprivate static func meant(byStray key: String) -> FenceProperty? {
        standing(in: .feature).first { $0 !== id && $0.isCalled(key) } ?? meant(by: key)
    }

    /// Whether this is its name, or nearly.
    func isMeant(byStray key: String) -> Bool { Self.meant(byStray: key) === self }

    /// A name that counts as it is.
    private func isCalled(_ key: String) -> Bool {
        ([name] + aliases).contains { $0.description == key }
    }

    /// In small letters, without separators and what stands in brackets behind it, such as a unit.
    private static func plain(_ name: String) -> String {
        name.prefix { $0 != "(" && $0 != "[" }.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Whether a fence that could have it has not.
    fileprivate func isMissed(in fence: Fence, _ options: FenceFileReader.Options) -> Bool {
        guard usual == nil else { return unusualValue(in: fence) == nil }
        // An area needs its length, which is that of the whole file only where it is given.
        if self === Self.radius, options.radius == nil { return false }
        if self === Self.width, options.width == nil { return false }
        // A restriction that stands at a road does nothing without the way to it.
        if self === Self.limits { return fence.area != nil && fence.approach == nil }
        return FenceFeature.own(fence).contains { $0 === self }
    }
}
