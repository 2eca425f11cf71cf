import BusClient
import Engine
import Formats
import JSON

/// A fence file beside the catalogue: what its import would change. Of each fence of the file its id
/// and a digest are kept.
@MainActor
struct DryRun {
    /// What would become of one fence.
    enum Effect: String {
        case added
        case changed
        case removed
    }

    /// By id, of what the bus would bring of it.
    private var digests: [String: Int] = [:]
    private var ids: [String] = []
    private var refused = 0
    private var effects: [(effect: Effect, id: String)] = []
    private var unchanged = 0
    /// Those whose ids belong to another origin.
    private var leftOut = 0

    /// Reads the file to its end, and says every entry that is refused.
    /// - Throws: ``Failure`` where it cannot be opened.
    init(_ operand: String, _ options: FenceFileReader.Options) throws {
        let reader: FenceFileReader
        do throws(FenceFileProblem) {
            reader = try FenceFileReader(operand: operand, options: options)
        } catch { throw Failure(error) }
        while let entry = reader.nextEntry() {
            switch entry {
            case .fence(let fence, _, _):
                ids.append(fence.id)
                digests[fence.id] = Self.digest(fence)
            case .refused(let problem):
                refused += 1
                StandardError.say(Failure(problem))
            }
        }
        for remark in reader.remarks { StandardError.warn("\(remark): \(reader.name)") }
    }

    /// Walks through the catalogue, as the set of `origin` would be imported.
    func compare(
        with daemon: DaemonClient, _ origin: FenceOrigin, replacing: Bool
    ) throws -> DryRun {
        var result = self
        var stored: [String: Effect] = [:]
        try daemon.forEachPage { page in
            for known in page {
                let id = known.fence.id
                guard let digest = digests[id] else {
                    if replacing, known.origin == origin { result.effects.append((.removed, id)) }
                    continue
                }
                guard known.origin == origin else {
                    result.leftOut += 1
                    result.digests[id] = nil
                    StandardError.warn(
                        "fence \"\(id)\" belongs to \(known.origin.text), and is left out")
                    continue
                }
                if digest == Self.digest(known.fence) {
                    result.unchanged += 1
                    result.digests[id] = nil
                } else {
                    stored[id] = .changed
                }
            }
        }
        for id in ids where result.digests[id] != nil {
            result.effects.append((stored[id] ?? .added, id))
        }
        return result
    }

    /// A line for each fence that would change, and a summary.
    /// - Throws: ``Failure`` where an entry is refused, for then nothing would be stored.
    func say(_ file: String, _ invocation: Invocation) throws {
        for (effect, id) in effects {
            guard invocation.isJSON else {
                try StandardOutput.line("\(effect.rawValue) \(id.printable)")
                continue
            }
            var json = JSONWriter()
            json.beginObject()
            json.key("change")
            json.string(effect.rawValue)
            json.key("id")
            json.string(id)
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
        let counts =
            [Effect.added, .changed, .removed].map { wanted in
                (wanted.rawValue, effects.count { $0.effect == wanted })
            } + [("unchanged", unchanged), ("left_out", leftOut), ("refused", refused)]
        if invocation.isJSON {
            var json = JSONWriter()
            json.beginObject()
            json.key("summary")
            json.beginObject()
            json.key("file")
            json.string(file)
            for (name, count) in counts {
                json.key(name)
                json.integer(count)
            }
            json.endObject()
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        } else {
            let texts = counts.filter { $0.0 != "left_out" || $0.1 > 0 }.map {
                "\($0.1) " + ($0.0 == "left_out" ? "left out" : $0.0)
            }
            try StandardOutput.line("\(file): \(texts.joined(separator: ", ")); nothing stored")
        }
        if refused > 0 { throw Failure.silent }
    }

    /// Of all that a fence says, the order of its metadata and the way numbers are written aside:
    /// these do not come back from the bus.
    private static func digest(_ fence: Fence) -> Int {
        var fence = fence
        if fence.metadata != "{}", let metadata = try? JSONValue(parsing: fence.metadata) {
            fence.metadata = metadata.canonical?.text ?? "null"
        }
        return fence.hashValue
    }
}

extension JSONValue {
    /// Without nulls, which the bus does not carry, and with members in the order of their names;
    /// nil for null.
    fileprivate var canonical: JSONValue? {
        switch self {
        case .null: nil
        case .array(let elements): .array(elements.compactMap(\.canonical))
        case .object(let members):
            .object(
                members.sorted { $0.key < $1.key }.compactMap { member in
                    member.value.canonical.map { JSONMember(member.key, $0) }
                })
        case .bool, .number, .string: self
        }
    }
}
