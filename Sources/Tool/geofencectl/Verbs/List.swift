import BusClient
import Formats
import JSON
import Model
import Program
import Storage

extension Verb {
    static let list = Verb(
        "list", summary: "all fences, or those of one origin",
        details: """
            On a terminal a table; elsewhere one fence per line, fields separated by tabs: id,
            shape, title, origin (empty for the bus, else a file of fences.d or the name of a
            named origin, which has a slash). With --json GeoJSON Features.
            """,
        options: [
            .origin("only of bus, file:NAME, or a named origin such as source/depots"),
            OptionRule(
                "prefix", value: "TEXT", "only those whose ids begin with it",
                completion: .list(.fences)),
        ],
        run: runList)
}

@MainActor
private func runList(_ invocation: Invocation) throws {
    var isFirst = true
    let origin = try invocation.origin
    let prefix = invocation.value("prefix") ?? ""
    try DaemonClient(invocation).forEachPage(of: origin, prefix: prefix) { page in
        if invocation.isJSON {
            for fence in page { try StandardOutput.write(fence.json + "\n") }
        } else {
            var table = Table("ID", "SHAPE", "TITLE", "ORIGIN")
            for known in page {
                table.add(known.fence.id, known.shape, known.fence.title, known.origin.name)
            }
            try table.print(hasHeader: isFirst)
        }
        isFirst = false
        try StandardOutput.flush()
    }
}

extension CatalogueFence {
    /// The fence as a GeoJSON Feature; `origin`, beside its members, if it is not the bus.
    var json: String {
        let feature = FenceFileWriter.feature(fence)
        guard origin != .bus, feature.hasSuffix("}") else { return feature }
        return feature.dropLast() + ",\"origin\":\(JSONValue.string(origin.name).text)}"
    }
}

extension OptionRule {
    /// `--origin NAME`
    static func origin(_ summary: String) -> OptionRule {
        OptionRule("origin", value: "NAME", summary, completion: .list(.origins))
    }
}

extension Invocation {
    /// The requested origin; nil if none was given.
    /// - Throws: ``Failure`` for an invalid name.
    var origin: FenceOrigin? {
        get throws {
            guard let text = value("origin") else { return nil }
            do throws(FlawedOrigin) { return try FenceOrigin(text: text) } catch {
                throw Failure.usage("not bus, file:NAME or KIND/NAME", "--origin \(text)")
            }
        }
    }
}
