import Bytes
import Formats
import JSON
import Model

/// Metadata whose keys are nearly the names of properties that the fence could have had and has not.
struct NearMisses {
    private struct Miss {
        let key: String
        let property: FenceProperty
        /// Of the first.
        let line: Int
        var count = 0
    }

    private var misses: [Miss] = []
    /// By key, which of the misses; nil for one that is like no property.
    private var known: [String: Int?] = [:]
    /// So many keys are remembered; others are not looked at.
    private static let mostKeys = 10_000
    /// So many are named.
    private static let mostNamed = 10

    /// Notes a key of the metadata of a fence.
    mutating func note(
        _ key: String, of fence: Fence, line: Int, _ options: FenceFileReader.Options
    ) {
        if case .some(nil) = known[key] { return }
        guard let property = FenceProperty.meant(by: key) else {
            if known.count < Self.mostKeys { known[key] = .some(nil) }
            return
        }
        guard property.isMissed(in: fence, options) else { return }
        if case .some(let place?) = known[key] {
            misses[place].count += 1
        } else if known.count < Self.mostKeys {
            known[key] = misses.count
            misses.append(Miss(key: key, property: property, line: line, count: 1))
        }
    }

    /// A phrase for each, of the first few.
    /// - Parameter entries: how many there were to be noted.
    func warnings(of entries: Int) -> [String] {
        var texts = misses.prefix(Self.mostNamed).map { miss in
            let place = miss.property === FenceProperty.limits ? ", of an approach," : ""
            return "\"\(excerpt(miss.key))\" is kept as metadata, in \(miss.count) of "
                + "\(counted(entries, "entry", "entries")), first in line \(miss.line): is "
                + "\(miss.property.name)\(place) meant?"
        }
        let rest = misses.count - texts.count
        if rest > 0 {
            texts.append(
                "\(counted(rest, "more key is", "more keys are")) nearly that of a property, and kept "
                    + "as metadata")
        }
        return texts
    }
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

    /// A name that counts as it is.
    private func isCalled(_ key: String) -> Bool {
        ([name] + aliases).contains { $0.description == key }
    }

    /// In small letters, without separators.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
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
