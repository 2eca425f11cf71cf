import BusClient
import Engine
import Formats
import JSON
import Storage

extension Verb {
    static let list = Verb(
        "list", summary: "all fences",
        details: """
            On a terminal a table; elsewhere one fence per line, fields separated by tabs: id,
            shape, title, file (empty for a fence from the bus). With --json GeoJSON Features.
            """,
        run: runList)
}

@MainActor
private func runList(_ invocation: Invocation) throws {
    var isFirst = true
    try DaemonClient(invocation).forEachPage { page in
        if invocation.isJSON {
            for fence in page { try StandardOutput.line(fence.json) }
        } else {
            var table = Table("ID", "SHAPE", "TITLE", "FILE")
            for known in page {
                table.add(known.fence.id, known.shape, known.fence.title, known.origin)
            }
            try table.print(hasHeader: isFirst)
        }
        isFirst = false
        try StandardOutput.flush()
    }
}

extension KnownFence {
    /// The fence as a GeoJSON Feature; `origin`, beside its members, where it is from a file.
    var json: String {
        let feature = FenceFileWriter.feature(fence)
        guard !origin.isEmpty, feature.hasSuffix("}") else { return feature }
        return feature.dropLast() + ",\"origin\":\(JSONValue.string(origin).text)}"
    }
}
