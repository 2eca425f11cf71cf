import BusClient
import Systemd

extension Verb {
    static let remove = Verb(
        "remove", "ID…", 1...1000, summary: "removes fences",
        details: """
            All or none: if one of them does not exist, or is from a file of fences.d, none is
            removed.
            """,
        run: runRemove)
}

@MainActor
private func runRemove(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    // For the daemon, removing an unknown id is not an error; for a user it is a typing error.
    for id in invocation.operands { _ = try daemon.call("GetFence", [.string(id)]) }
    var ids = Set<String>()
    let distinct = invocation.operands.filter { ids.insert($0).inserted }
    try daemon.apply(removing: distinct).say(invocation)
}
