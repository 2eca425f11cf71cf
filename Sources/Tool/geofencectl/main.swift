import BusClient
import Engine
import Geofence1
import Glibc

/// One invocation from the command line to the exit status.
@MainActor
func run(_ arguments: [String]) -> Int32 {
    do {
        switch try Request(arguments) {
        case .help(let verb): try StandardOutput.write(Help.text(verb))
        case .version: try StandardOutput.line("geofencectl \(Version.current)")
        case .run(let invocation): try invocation.verb.run(invocation)
        }
        try StandardOutput.flush()
        return 0
    } catch {
        // What was found before the failure is still good, and goes first.
        try? StandardOutput.flush()
        let failure =
            error as? Failure ?? (error as? ClientError).map(Failure.init) ?? Failure("\(error)")
        StandardError.say(failure)
        return failure.status
    }
}

// `replay … | head`: what was begun is cleaned up, as after any other failure.
signal(SIGPIPE, SIG_IGN)
exit(run(Array(CommandLine.arguments.dropFirst())))
