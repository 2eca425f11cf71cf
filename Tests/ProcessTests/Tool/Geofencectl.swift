import SystemTestKit
import Testing

/// Runs the real tool to its end.
func geofencectl(
    _ arguments: String..., input: String = "", environment: [String: String?] = [:]
) throws -> Subprocess.Ending {
    let run = Subprocess(
        [builtProgram("geofencectl")] + arguments, environment: environment, input: input)
    return try #require(run.wait())
}
