import BusClient
import Files
import Glibc
import JSON
import Program
import Systemd
import Time

// Unsafe: unlink(2) and access(2) take a path of ours.

extension Verb {
    static let sync = Verb(
        "sync", "[[pause] NAME]", 0...2, summary: "the sources of fences on the network",
        details: """
            Without a name, how each source that geofenced-sync has looked at is doing. With a
            name, the source is looked at now, and how it went is shown. With --accept the set
            that is held is taken, though many fences go; with --dry-run nothing is stored.
            A source that is paused is not looked at until somebody asks for a look.
            """,
        options: [
            OptionRule("accept", "take the set that is held"),
            OptionRule("dry-run", "say what would change, and change nothing"),
            OptionRule(
                "status-dir", value: "DIR", "where geofenced-sync writes: \(SourceStatus.directory)"
            ),
        ],
        completion: .nouns([.init("pause", then: .list(.sources))], or: .sources),
        run: runSync)
}

@MainActor
private func runSync(_ invocation: Invocation) throws {
    let directory = invocation.value("status-dir") ?? SourceStatus.directory
    let isPause = invocation.operands.count == 2
    guard let name = invocation.operands.last else {
        guard !invocation.has("accept"), !invocation.has("dry-run") else {
            throw Failure.missing(argument: "NAME")
        }
        var daemon = try? DaemonClient(invocation)
        daemon?.asksUser = false
        for status in SourceStatus.all(in: directory, daemon) { try show(status, invocation) }
        return
    }
    guard InstanceName.isValid(name) else {
        throw Failure.usage("no name of a source", name)
    }
    guard !isPause || invocation.operands.first == "pause" else {
        throw Failure.unexpected(name)
    }
    guard !isPause || !invocation.has("accept") && !invocation.has("dry-run") else {
        throw Failure.usage("a pause takes nothing", name)
    }
    let before = SourceStatus(name: name, in: directory)
    guard before != nil || isConfigured(name) else {
        // Of no source it is the word.
        guard isPause || name != "pause" else { throw Failure.missing(argument: "NAME") }
        throw Failure("no such source", name)
    }
    var request = isPause ? "pause\n" : ""
    if invocation.has("accept") {
        guard let held = before?.held, !held.isEmpty else {
            throw Failure("no set of this source is held", name)
        }
        request += "accept \(held)\n"
    }
    if invocation.has("dry-run") { request += "dry-run\n" }
    let path = "\(directory)/\(name).request"
    try write(request, to: path)
    let after: SourceStatus
    do {
        try start(name, invocation)
        let found = try wait(
            for: name, in: directory, since: before?.version, request: path
        ) { try start(name, invocation) }
        guard let found else {
            throw Failure("not over after a minute, or killed; see geofencectl sync", name)
        }
        after = found
    } catch {
        // A look of some other day would obey it.
        unsafe unlink(path)
        throw error
    }
    try show(after, invocation)
    let good = isPause ? ["paused"] : ["unchanged", "imported"]
    guard good.contains(after.state) else { throw Failure.silent }
}

@MainActor
private func show(_ status: SourceStatus, _ invocation: Invocation) throws {
    guard invocation.isJSON else {
        return try StandardOutput.line("\(status.name)\t\(status.line)")
    }
    var json = JSONWriter()
    json.value(status.json)
    json.endLine()
    try StandardOutput.write(json.bytes)
}

/// Whether the source has a file; where that cannot be seen, too.
func isConfigured(_ name: String) -> Bool {
    unsafe access("/etc/geofenced/sources.d/\(name).conf", F_OK) == 0 || errno != ENOENT
}

/// Replaces a request that nobody has read.
private func write(_ request: String, to path: String) throws(Failure) {
    unsafe unlink(path)
    do throws(Errno) {
        try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
            .write(Array(request.utf8))
    } catch { throw Failure("cannot ask for a look: \(error)", path) }
}

/// By the service manager, as which user and with which secrets the unit says.
@MainActor
private func start(_ name: String, _ invocation: Invocation) throws {
    let manager = BusPeer(
        destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
        interface: "org.freedesktop.systemd1.Manager")
    let unit = "geofenced-sync@\(name).service"
    let daemon = try DaemonClient(invocation)
    do throws(BusError) {
        _ = try daemon.connection.callAndWait(
            manager, "StartUnit", [.string(unit), .string("replace")], timeout: .seconds(300),
            interactive: true)
    } catch { throw Failure("cannot start it: \(error.message)", unit) }
}

/// The status after the look that has taken the request: a new file. A minute is enough for all but the
/// largest sets.
/// - Parameter start: for where another look was still ending, which has not taken it.
private func wait(
    for name: String, in directory: String, since version: String?, request: String,
    again start: () throws -> Void
) throws -> SourceStatus? {
    var before = version
    for tick in 1...600 {
        let status = SourceStatus(name: name, in: directory)
        if unsafe access(request, F_OK) == 0 {
            before = status?.version
            if tick % 10 == 0 { try start() }
        } else if let status, status.version != before, status.state != "fetching" {
            return status
        }
        usleep(100_000)
    }
    return nil
}
