import BusClient
import Program

runProgram("geofencectl") { (request: Request) in
    do {
        switch request {
        case .help(let verb): try StandardOutput.line(Help.text(verb))
        case .run(let invocation): try invocation.verb.run(invocation)
        }
        try StandardOutput.flush()
        return .good
    } catch {
        // Output from before the failure is still valid, and is written first.
        try? StandardOutput.flush()
        throw (error as? ClientError).map(Failure.init) ?? error
    }
}
