import BusClient
import Files
import Geofence1
import Glibc
import JSON
import Model
import Program
import Systemd
import Time

// Unsafe: system calls take an array of ours, with its own count.

extension Verb {
    static let remove = Verb(
        "remove", "ID…", 0...1000, summary: "removes fences, or all of one origin",
        details: """
            All or none: if one of them does not exist, or is from a file of fences.d, none is
            removed. With --origin, and no ID, every fence of that origin, and no other; those of a
            source on the network come again with its next look.
            """,
        options: [.origin("all of bus, or of a named origin such as source/depots")],
        run: runRemove)
}

@MainActor
private func runRemove(_ invocation: Invocation) throws {
    if let origin = try invocation.origin {
        guard invocation.operands.isEmpty else {
            throw Failure.usage("not together with --origin", invocation.operands[0])
        }
        return try removeAll(of: origin, invocation)
    }
    guard !invocation.operands.isEmpty else {
        throw Failure.missing(argument: "ID…, or --origin NAME")
    }
    let daemon = try DaemonClient(invocation)
    // For the daemon, removing an unknown id is not an error; for a user it is a typing error.
    for id in invocation.operands { _ = try daemon.call(.getFence, [.string(id)]) }
    var ids = Set<FenceKey>()
    let distinct = invocation.operands.filter { ids.insert(FenceKey($0)).inserted }
    try daemon.apply(removing: distinct).say(invocation)
}

/// Replaces the origin's set by an empty one, which the daemon does in portions, however many there
/// are.
@MainActor
private func removeAll(of origin: FenceOrigin, _ invocation: Invocation) throws {
    let loop = try EventLoop()
    let daemon = try DaemonClient(invocation, loop: loop)
    guard try daemon.origins().contains(where: { $0.origin == origin }) else {
        throw Failure("no fence of this origin", origin.text)
    }
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else {
        throw Failure(.last, "a pipe")
    }
    defer { close(ends[0]) }
    do {
        defer { close(ends[1]) }
        let none = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)
        try writeAll(none, to: ends[1], "a pipe")
    }
    var outcome: Result<ImportedChange, ClientError>?
    try daemon.beginImport(of: ends[0], into: origin, replacing: true) { outcome = $0 }
    while outcome == nil { try loop.runOnce(timeout: .milliseconds(100)) }
    guard let change = try outcome?.get() else { throw Failure("no answer", daemon.busName) }
    try change.sayRemoved(from: origin, invocation)
}

extension ImportedChange {
    @MainActor
    fileprivate func sayRemoved(from origin: FenceOrigin, _ invocation: Invocation) throws {
        guard invocation.isJSON else {
            for warning in warnings { StandardError.warn(warning.description) }
            try StandardOutput.line("\(origin.text): \(removed) removed")
            let parts = origin.text.split(separator: "/")
            if parts.count == 2, parts[0] == "source", isConfigured(String(parts[1])) {
                try StandardOutput.line(
                    "the source's next look brings them again, see geofenced-sync(8)")
            }
            return
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("origin")
        json.string(origin.text)
        json.key("generation")
        json.integer(generation)
        json.key("removed")
        json.integer(removed)
        json.key("warnings")
        json.notes(warnings)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}
