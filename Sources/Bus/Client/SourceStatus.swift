import Files
import Glibc
package import JSON
package import Model
import SharedLimits

// Unsafe: access(2) takes a path of ours.

/// What geofenced-sync says of a source of fences, in a file for others.
package struct SourceStatus {
    /// Name of the source.
    package var name: String
    /// The whole file.
    package var json: JSONValue
    /// It is another one with every look.
    package var version: String

    /// Where the unit writes.
    package static let directory = "/run/geofenced-sync"

    private static let longest = SharedLimits.sourceState
    private static let mostFiles = 1024

    /// The state of a source whose configuration is gone, and of which fences are left.
    package static let removed = "removed"
    /// The state of one whose set the daemon has no longer as it was given.
    package static let missing = "missing"

    /// As ``all(in:)``, compared with what the daemon has.
    @MainActor
    package static func all(in directory: String, _ daemon: DaemonClient?) -> [SourceStatus] {
        let all = all(in: directory)
        guard !all.isEmpty, let origins = try? daemon?.origins() else { return all }
        return compared(all, with: origins)
    }

    /// What they say, with what has become of their sets since, as the daemon has it. A source that was
    /// removed with all its fences is none.
    package static func compared(
        _ all: [SourceStatus], with origins: [OriginSummary]
    ) -> [SourceStatus] {
        all.compactMap { $0.compared(with: origins) }
    }

    /// All of a directory, in order of name; none where there is no such directory.
    package static func all(in directory: String) -> [SourceStatus] {
        let names = try? Directory.names(in: directory, limit: mostFiles) {
            $0.hasSuffix(".json") && !$0.hasPrefix(".")
        }
        return (names ?? []).compactMap { name in
            SourceStatus(name: String(name.dropLast(5)), in: directory)
        }
    }

    /// Nil if there is no status of that name, or this version does not understand it.
    package init?(name: String, in directory: String) {
        let path = "\(directory)/\(name).json"
        guard let file = try? OpenFile(regular: path, followsLinks: false),
            let status = try? file.status(),
            let bytes = try? file.contents(limit: Self.longest),
            let json = try? JSONValue(parsing: bytes), json["v"]?.integer == 1
        else { return nil }
        self.name = name
        self.json = json
        // The number of a file that is gone may come again.
        version = "\(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        if isRemoved { set("state", .string(Self.removed)) }
    }

    /// Its configuration is gone, and with it every further look. Of a path that another directory
    /// would complete, nothing is known.
    private var isRemoved: Bool {
        guard let file = json["file"]?.string, file.hasPrefix("/") else { return false }
        return unsafe access(file, F_OK) != 0 && errno == ENOENT
    }

    private func compared(with origins: [OriginSummary]) -> SourceStatus? {
        let origin = origins.first { $0.origin.text == "source/\(name)" }
        if state == Self.removed, origin == nil { return nil }
        let fences = Int64(origin?.fences ?? 0)
        // While a set is being checked its digest is another one, and all of it is there.
        guard let stored = json["stored"]?.string, !stored.isEmpty, stored != origin?.digest ?? "",
            fences != json["fences"]?.integer
        else { return self }
        var status = self
        status.set("fences", .number(JSONNumber(fences)))
        if ["unchanged", "imported"].contains(state) { status.set("state", .string(Self.missing)) }
        return status
    }

    private mutating func set(_ key: String, _ value: JSONValue) {
        let others = (json.object ?? []).filter { $0.key != key }
        json = .object(others + [JSONMember(key, value)])
    }

    /// The state, in one word: how the last look went, or what has become of it since.
    package var state: String { json["state"]?.string ?? "" }

    /// The set that is held; empty if none is.
    package var held: String { json["held"]?.string ?? "" }
}
