import FenceFiles
import Foundation
import Geodesy
import Model

/// The result of reading a whole file.
struct FileContent {
    var fences: [Fence] = []
    var lines: [Int] = []
    var problems: [FenceFileProblem] = []

    init(_ reader: FenceFileReader) {
        while let entry = reader.nextEntry() {
            switch entry {
            case .fence(let fence, let line, _):
                fences.append(fence)
                lines.append(line)
            case .refused(let problem): problems.append(problem)
            }
        }
    }

    init(_ text: String, options: FenceFileReader.Options = .init()) {
        self.init(FenceFileReader(Array(text.utf8), name: "f", options: options))
    }

    /// As users see them.
    var messages: [String] { problems.map(\.description) }
}

func dataFile(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Data/files/" + name).path
}

/// A GeoJSON Feature with these members instead of the usual ones.
func feature(
    id: String? = #""a""#, type: String = #""Feature""#,
    geometry: String? = #"{"type":"Point","coordinates":[11.5,48.1]}"#,
    properties: String? = #"{"radius":50}"#
) -> String {
    let members = [
        ("type", type), ("id", id), ("geometry", geometry), ("properties", properties),
    ]
    return "{"
        + members.compactMap { name, json in json.map { "\"\(name)\":\($0)" } }
        .joined(separator: ",") + "}"
}

/// A file of the repository, by its path there.
func repository(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(path)
}
