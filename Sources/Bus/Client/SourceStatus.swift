import Files
import Glibc
package import JSON
import SharedLimits

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
    }

    /// The state, in one word.
    package var state: String { json["state"]?.string ?? "" }

    /// The set that is held; empty if none is.
    package var held: String { json["held"]?.string ?? "" }
}
