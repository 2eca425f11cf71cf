package import Program
package import Systemd

/// A program that a service manager starts: as ``runProgram(_:complain:_:)``, with a log, which also
/// says why it failed. An error of the body that is no ``Failure`` has kept it from starting.
@MainActor
package func runService<Arguments: ProgramArguments>(
    _ name: String, _ body: @MainActor (Arguments, Log) throws -> ExitStatus
) -> Never {
    let log = Log(identifier: name)
    runProgram(name, complain: { log.write(.error, $0) }) { (arguments: Arguments) in
        do { return try body(arguments, log) } catch let failure as Failure {
            throw failure
        } catch { throw Failure("cannot start: \(error)") }
    }
}

extension Log {
    /// A line that begins with the name of the program: a problem of its configuration, say.
    package func complain(_ text: String, _ priority: LogPriority = .error) {
        write(priority, "\(identifier): \(text)")
    }
}
