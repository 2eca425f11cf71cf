import Files
import Glibc
import Program

// Unsafe: execv(3) gets an array of texts that end in NUL; after a failure they are released.

extension Verb {
    static let map = Verb(
        "map", summary: "the drive that is under way, in a browser of this machine",
        details: """
            Runs geofenced-map on 127.0.0.1 as the user who calls it, until Ctrl-C, and prints the
            address for the browser. There is a token in it: who does not know it, sees nothing.
            """,
        options: [OptionRule("port", value: "PORT", "which port, instead of any that is free")],
        run: runMap)
}

@MainActor
private func runMap(_ invocation: Invocation) throws {
    var arguments = ["geofenced-map", "--loopback", "--bus", invocation.value("bus") ?? "system"]
    if let port = try invocation.number("port", in: 1...65_535) {
        arguments += ["--port", "\(Int(port))"]
    }
    // It takes the place of this program, and so Ctrl-C, and the judgement of polkit.
    if let directory = ownDirectory {
        execute("\(directory)/geofenced-map", arguments)
    }
    execute("/usr/bin/geofenced-map", arguments)
    throw Failure("is not installed", "geofenced-map")
}

/// Returns only when the program cannot be executed.
private func execute(_ path: String, _ arguments: [String]) {
    var texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
    unsafe execv(path, &texts)
    for index in unsafe texts.indices { unsafe free(texts[index]) }
}

/// Where this program lies; nil if the kernel does not say it.
private var ownDirectory: String? {
    (try? OpenFile.target(ofLink: "/proc/self/exe")).map(Directory.parent)
}
