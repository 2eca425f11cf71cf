import BusClient
import Bytes
import FenceFiles
import JSON
import Model
import Program

/// Compares a fence file with the catalogue: what its import would change. Keeps the id and a
/// digest of each fence of the file.
@MainActor
struct DryRun {
    /// The effect on one fence.
    enum Effect: String {
        case added
        case changed
        case removed
    }

    /// By id, of the fence's form on the bus.
    private var digests: [ExactText: Int] = [:]
    private var ids: [String] = []
    private var refused = 0
    private var effects: [(effect: Effect, id: String)] = []
    private var unchanged = 0
    /// Those whose ids belong to another origin.
    private var leftOut = 0

    /// Reads the file to its end, and reports every refused entry.
    /// - Throws: ``Failure`` if it cannot be opened.
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
                StandardError.say("\(Failure(problem))")
            }
        }
        for remark in reader.remarks(options) { StandardError.warn("\(remark): \(reader.name)") }
    }

    /// Compares with the catalogue, for an import of the set of `origin`.
    func compare(
        with daemon: DaemonClient, _ origin: FenceOrigin, replacing: Bool
    ) throws -> DryRun {
        var result = self
        var stored: [ExactText: Effect] = [:]
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
    /// - Throws: ``Failure`` if an entry is refused, because then nothing would be stored.
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
        if leftOut > 0, leftOut == ids.count { throw Failure.nothingTaken(of: file) }
    }

    /// Of the whole fence, except for the order of its metadata and the notation of numbers, which
    /// the bus does not preserve.
    private static func digest(_ fence: Fence) -> Int {
        var fence = fence
        if fence.metadata != "{}", let metadata = try? JSONValue(parsing: fence.metadata) {
            fence.metadata = metadata.canonical?.text ?? "null"
        }
        return fence.hashValue
    }
}

extension JSONValue {
    /// Without nulls, which the bus does not carry, and with members sorted by name; nil for null.
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
