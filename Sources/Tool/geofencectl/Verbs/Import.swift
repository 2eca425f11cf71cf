import BusClient
import Formats
import JSON
import Model
import Program
import Systemd
import Time

extension Verb {
    static let `import` = Verb(
        "import", "FILE…", 1...1000, summary: "adds the fences of a file, all or none",
        details: """
            GeoJSON (a FeatureCollection, or an RFC 8142 sequence), CSV, GPX waypoints, KML or
            KMZ, or one of these compressed with gzip; - is standard input. Each file is one
            transaction: where an entry is refused, all such entries are named with their lines,
            and nothing of the file is stored. Where the first entry has no id, ids are made of
            what each entry says. With --dry-run nothing is stored, and every fence that would be
            added, changed or removed is named. A file without an entry is refused, for it may have
            been cut off; with --allow-empty it is taken.
            """,
        options: OptionRule.fenceFile + [
            .origin("whose fences they are: bus (the default), or a named origin"),
            OptionRule("replace", "remove fences of this origin that the file does not have"),
            OptionRule("allow-empty", "take a file without an entry, too"),
            OptionRule("dry-run", "say what would change, and change nothing"),
        ],
        run: runImport)
}

@MainActor
private func runImport(_ invocation: Invocation) throws {
    let replaces = invocation.has("replace")
    guard !replaces || invocation.operands.count == 1 else {
        throw Failure.usage("takes one file", "--replace")
    }
    let origin = try invocation.origin ?? .bus
    let options = try invocation.fenceFileOptions(refusesTwins: true)
    let loop = try EventLoop()
    let daemon = try DaemonClient(invocation, loop: loop)
    try daemon.ping()
    for operand in invocation.operands {
        if invocation.has("dry-run") {
            try DryRun(operand, options).compare(with: daemon, origin, replacing: replaces)
                .say(operand, invocation)
            continue
        }
        let file = try ImportFile(operand: operand, options: options)
        for remark in file.remarks { StandardError.warn("\(remark): \(file.name)") }
        let change: ImportedChange
        do {
            change = try daemon.importFences(file, origin, replacing: replaces, loop: loop)
        } catch let refusal as ClientError where refusal.isAboutEntries {
            // The daemon names the first bad entry; a person who corrects the file wants all of
            // them. For that the file is read again, and every id is remembered.
            try file.nameRefusals(options)
            throw refusal
        }
        try change.say(operand, invocation)
        // Of a set that is as it was there are fences.
        let isTaken =
            try change.changed > 0 || change.warnings.isEmpty
            || daemon.origins().contains { $0.origin == origin && $0.fences > 0 }
        guard isTaken else { throw Failure.nothingTaken(of: operand) }
    }
}

extension ImportedChange {
    @MainActor
    fileprivate func say(_ file: String, _ invocation: Invocation) throws {
        guard invocation.isJSON else {
            for warning in warnings { StandardError.warn("\(warning): \(file)") }
            return try StandardOutput.line("\(file): \(changed) new or changed, \(removed) removed")
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("file")
        json.string(file)
        json.key("generation")
        json.integer(generation)
        json.key("changed")
        json.integer(changed)
        json.key("removed")
        json.integer(removed)
        json.key("warnings")
        json.notes(warnings)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}

extension DaemonClient {
    /// Passes the file on and waits, with a progress bar on a terminal.
    fileprivate func importFences(
        _ file: ImportFile, _ origin: FenceOrigin, replacing: Bool, loop: EventLoop
    ) throws -> ImportedChange {
        var outcome: Result<ImportedChange, ClientError>?
        try beginImport(of: file.descriptor, into: origin, replacing: replacing) { outcome = $0 }
        let bar = ProgressBar(file.name)
        defer { bar.clear() }
        while outcome == nil {
            try loop.runOnce(timeout: .milliseconds(100))
            bar.show(file.progress)
        }
        guard let outcome else { throw Failure("no answer", busName) }
        return try outcome.get()
    }
}
