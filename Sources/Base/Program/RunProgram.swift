import Glibc

/// The command line of a program.
package protocol ProgramArguments {
    /// The text of `--help`.
    static var help: String { get }

    /// - Parameter words: without the name of the program.
    /// - Throws: ``Failure`` with ``ExitStatus/unusable``, ``EarlyExit``.
    init(_ words: some Sequence<String>) throws
}

/// A program: reads its command line, runs its body, says why it failed, and exits.
///
/// - Parameters:
///   - name: of the executable.
///   - complain: where a line about a failure goes.
///   - body: gives the exit status. A ``Failure`` has one of its own; with every other error the
///     program has failed.
@MainActor
package func runProgram<Arguments: ProgramArguments>(
    _ name: String, complain: (String) -> Void = StandardError.line,
    _ body: @MainActor (Arguments) throws -> ExitStatus
) -> Never {
    // Who reads our output may go: that is an error of write(2), and what was begun is cleaned up.
    signal(SIGPIPE, SIG_IGN)
    // Swift reads them from /proc/self/cmdline, and has none without /proc, not even the name: the
    // program would run as if without options.
    guard !CommandLine.arguments.isEmpty else {
        complain("\(name): the command line cannot be read: is /proc mounted?")
        exit(ExitStatus.unusable.code)
    }
    do {
        let status: ExitStatus
        do {
            status = try body(try Arguments(CommandLine.arguments.dropFirst()))
        } catch let asked as EarlyExit {
            let answer = asked == .help ? Arguments.help : "\(name) \(Version.current)"
            try writeAll(Array((answer + "\n").utf8), to: STDOUT_FILENO, "standard output")
            status = .good
        }
        exit(status.code)
    } catch {
        let failure = error as? Failure ?? Failure("\(error)")
        let hint = failure.status == .unusable ? "; see \(name) --help" : ""
        if !failure.description.isEmpty { complain("\(name): \(failure)\(hint)") }
        exit(failure.status.code)
    }
}
