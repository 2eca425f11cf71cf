import Formats
import JSON

/// Lines of Features, as they are given to the daemon.
package enum FenceSet {
    /// An entry that is refused.
    package struct Refusal: Hashable, Sendable {
        /// With the prefix.
        package var id: String
        /// A phrase without a full stop.
        package var reason: String

        package init(id: String, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// What the code of `geofencectl check` refuses among the lines of a file.
    /// - Throws: ``SyncFailure`` where the file cannot be read to its end.
    package static func check(_ file: SpoolFile) throws(SyncFailure) -> [Refusal] {
        try file.rewind()
        guard file.size > 0 else { return [] }
        let reader = FenceFileReader(descriptor: file.descriptor, name: "the set")
        var refusals: [Refusal] = []
        while let entry = reader.nextEntry() {
            guard case .refused(let problem) = entry else { continue }
            guard !problem.isFatal, let id = problem.id else {
                throw SyncFailure(.invalid, "\(problem.reason), entry \(problem.index ?? 0)")
            }
            refusals.append(Refusal(id: id, reason: problem.reason))
        }
        return refusals
    }

    /// Copies the lines of `file` without those of the refused ids, then the lines that `former`
    /// has of these: a flawed entry keeps its former version.
    /// - Returns: the number of lines.
    package static func copy(
        _ file: SpoolFile, without refused: Set<String>, former: SpoolFile?, to copy: SpoolFile
    ) throws(SyncFailure) -> Int {
        var count = try select(file, to: copy) { !refused.contains($0) }
        if let former { count += try select(former, to: copy) { refused.contains($0) } }
        return count
    }

    /// The lines of a set in their order, each with its line feed and as the Feature that it is.
    static func forEachLine(
        _ file: SpoolFile, _ body: ([UInt8], JSONValue) throws(SyncFailure) -> Void
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

    private static func select(
        _ file: SpoolFile, to copy: SpoolFile, where isWanted: (String) -> Bool
    ) throws(SyncFailure) -> Int {
        var reader = try file.json()
        var count = 0
        do {
            while try reader.peek() != nil {
                var line: [UInt8] = []
                try reader.rawValue(to: &line)
                var feature = JSONReader(line)
                var id = ""
                try feature.readObject { feature, key in
                    if key == "id" { id = try feature.readText() }
                }
                guard isWanted(id) else { continue }
                try copy.write(line + [0x0A])
                count += 1
            }
        } catch let failure as SyncFailure {
            throw failure
        } catch { throw SyncFailure(.notStored, "the former set cannot be read: \(error)") }
        return count
    }
}
