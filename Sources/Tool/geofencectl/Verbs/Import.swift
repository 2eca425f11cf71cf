import BusClient
import Engine
import Formats
import Glibc
import JSON
import Storage
import Systemd
import Time

// Unsafe: system calls take a path or an array of ours, with its own count.

extension Verb {
    static let `import` = Verb(
        "import", "FILE…", 1...1000, summary: "adds the fences of a file, all or none",
        details: """
            GeoJSON (a FeatureCollection, or an RFC 8142 sequence), CSV or GPX waypoints; - is
            standard input. Each file is one transaction: where an entry is refused, all such
            entries are named with their lines, and nothing of the file is stored.
            """,
        options: [
            .waypointRadius,
            .origin("whose fences they are: bus (the default), or a named origin"),
            OptionRule("replace", "remove fences of this origin that the file does not have"),
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
    for operand in invocation.operands {
        let file = try ImportFile(operand: operand, options: options)
        let change: ImportedChange
        do {
            change = try daemon.importFences(file, origin, replacing: replaces, loop: loop)
        } catch let refusal as ClientError where !refusal.isAbsence && !refusal.isDenied {
            // The daemon names the first bad entry; whoever mends the file wants all of them.
            try file.nameRefusals(options)
            throw refusal
        }
        try change.say(operand, invocation)
    }
}

/// A file of fences that can be read more than once.
@MainActor
private final class ImportFile {
    let name: String
    let descriptor: Int32
    let size: Int64

    /// What cannot be read twice, and what needs a radius that the daemon does not know of, goes
    /// through a file without a name.
    init(operand: String, options: FenceFileReader.Options) throws {
        name = operand == "-" ? "standard input" : operand
        let given = unsafe operand == "-" ? dup(STDIN_FILENO) : open(operand, O_RDONLY | O_CLOEXEC)
        guard given >= 0 else { throw unsafe Failure(String(cString: strerror(errno)), operand) }
        var status = stat()
        let isFile = unsafe fstat(given, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isFile, options.waypointRadius == nil, lseek(given, 0, SEEK_CUR) == 0 {
            descriptor = given
        } else {
            defer { close(given) }
            descriptor = try Self.scratchFile()
            if options.waypointRadius == nil {
                try Self.copy(given, to: descriptor, name)
            } else {
                try Self.convert(given, to: descriptor, name, options)
            }
        }
        size = Int64(lseek(descriptor, 0, SEEK_END))
        rewind()
    }

    deinit { close(descriptor) }

    /// The daemon reads through the same open file, so that this is where it has come.
    var progress: Double {
        size > 0 ? Double(lseek(descriptor, 0, SEEK_CUR)) / Double(size) : 0
    }

    /// Says every entry that is refused, if there is one.
    /// - Throws: ``Failure`` then.
    func nameRefusals(_ options: FenceFileReader.Options) throws {
        rewind()
        try Self.nameRefusals(
            of: FenceFileReader(descriptor: descriptor, name: name, options: options)
        ) { _ in }
    }

    private func rewind() { lseek(descriptor, 0, SEEK_SET) }

    private static func scratchFile() throws -> Int32 {
        var template = Array(((variable("TMPDIR") ?? "/tmp") + "/geofencectl-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw unsafe Failure(String(cString: strerror(errno)), "a temporary file")
        }
        unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func copy(_ source: Int32, to target: Int32, _ name: String) throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(source, &room, room.count)
            if count == 0 { return }
            guard count > 0 else { throw unsafe Failure(String(cString: strerror(errno)), name) }
            try writeAll(Array(room[..<count]), to: target, "a temporary file")
        }
    }

    private static func convert(
        _ source: Int32, to target: Int32, _ name: String, _ options: FenceFileReader.Options
    ) throws {
        var writer = FenceFileWriter { try writeAll($0, to: target, "a temporary file") }
        try nameRefusals(
            of: FenceFileReader(descriptor: source, name: name, options: options)
        ) { try writer.append($0) }
        try writer.finish()
    }

    private static func nameRefusals(
        of reader: FenceFileReader, _ body: (Fence) throws -> Void
    ) throws {
        var refused = 0
        while let entry = reader.nextEntry() {
            switch entry {
            case .fence(let fence, _, _): if refused == 0 { try body(fence) }
            case .refused(let problem):
                refused += 1
                StandardError.say(Failure(problem))
            }
        }
        guard refused == 0 else {
            throw Failure("\(refused) refused, nothing imported", reader.name)
        }
    }
}

extension ImportedChange {
    @MainActor
    fileprivate func say(_ file: String, _ invocation: Invocation) throws {
        guard invocation.isJSON else {
            for warning in warnings { StandardError.warn("\(warning): \(file)") }
            return try StandardOutput.line("\(file): \(changed) changed, \(removed) removed")
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
    /// Hands the file over and waits, with a progress bar on a terminal.
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
