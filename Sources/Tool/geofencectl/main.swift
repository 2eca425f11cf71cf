import BusClient
import Engine
import Geofence1
import Glibc
import Settings

/// Runs one invocation, from the command line to the exit status.
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
        // Output from before the failure is still valid, and is written first.
        try? StandardOutput.flush()
        let failure =
            error as? Failure ?? (error as? ClientError).map(Failure.init) ?? Failure("\(error)")
        StandardError.say(failure)
        return failure.status
    }
}

// `replay … | head`: temporary files are cleaned up, as after any other failure.
signal(SIGPIPE, SIG_IGN)
exit(run(Array(commandLineWords(of: "geofencectl"))))
