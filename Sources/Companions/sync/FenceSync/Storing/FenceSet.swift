import Bytes
import JSON

/// Lines of Features, as they are given to the daemon.
package enum FenceSet {
    /// An entry that cannot become a Feature, or only one that the daemon would refuse.
    package struct Refusal: Hashable, Sendable {
        /// With the prefix.
        package var id: String
        /// A phrase without a full stop.
        package var reason: String
    }

    /// Flawed entries: the first ones whole, of all others no more than a number.
    package struct Refusals: Sendable {
        /// To be told.
        package private(set) var examples: [Refusal] = []
        private var hashes: Set<Int> = []

        /// How many there are, each id once.
        package var count: Int { hashes.count }

        /// Notes one.
        mutating func add(_ id: String, _ reason: String) {
            hashes.insert(ExactText(id).hashValue)
            if examples.count < 10 { examples.append(Refusal(id: id, reason: reason)) }
        }

        /// Whether it has that id, by a hash of which nobody outside knows the seed.
        package func has(_ id: String) -> Bool { hashes.contains(ExactText(id).hashValue) }
    }

    /// The lines of a set in their order, each with its line feed and its id.
    static func forEachID(
        _ file: some SetLines, _ body: ([UInt8], String) throws(SyncFailure) -> Void
    ) throws(SyncFailure) {
        var reader = try file.json()
        do {
            while try reader.peek() != nil {
                var line: [UInt8] = []
                try reader.rawValue(to: &line)
                var feature = JSONReader(line)
                var id = ""
                try feature.readObject { feature, key in
                    if key == "id" { id = try feature.readText() }
                }
                try body(line + [0x0A], id)
            }
        } catch let failure as SyncFailure {
            throw failure
        } catch { throw SyncFailure(.notStored, "the former set cannot be read: \(error)") }
    }

    /// The lines of a set in their order, each with its line feed, and parsed as a Feature.
    static func forEachLine(
        _ file: some SetLines, _ body: ([UInt8], JSONValue) throws(SyncFailure) -> Void
    ) throws(SyncFailure) {
        var reader = try file.json()
        do {
            while try reader.peek() != nil {
                var line: [UInt8] = []
                try reader.rawValue(to: &line)
                let feature = try JSONValue(parsing: line)
                try body(line + [0x0A], feature)
            }
        } catch let failure as SyncFailure {
            throw failure
        } catch { throw SyncFailure(.notStored, "a set cannot be read again: \(error)") }
    }
}
