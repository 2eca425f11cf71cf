import Files
package import Glibc
import Testing

/// Another program, in its own process group, which is killed when this is released and when the
/// test process dies. Its output goes to files in memory, so that it never blocks on the test. One
/// that is not in `.ci/packages`, or not on this machine, fails the test: "not found" is never taken
/// for its answer.
package final class Subprocess {
    package let pid: pid_t
    /// The status from wait(2), nil while it runs.
    package private(set) var waitStatus: Int32?
    private let output: OpenFile
    private let errors: OpenFile
    private let name: String
    private let mayBeAbsent: Bool
    private var isAbsenceTold = false

    /// How a program ended.
    package struct Ending: Equatable, Sendable {
        /// The exit status of a shell: 128 + the signal for a killed program.
        package let status: Int32
        package let output: String
        package let errors: String

        package init(status: Int32, output: String, errors: String) {
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    /// Starts `arguments[0]`, found in PATH, with these variables added to ours (nil removes one). It
    /// tells none of the ``Secrets``, among which its credentials are.
    ///
    /// - Parameter mayBeAbsent: whether the question is if there is such a program; it has no ending
    ///   if not.
    package init(
        _ arguments: [String], environment: [String: String?] = [:], input: String = "",
        directory: String? = nil, mayBeAbsent: Bool = false
    ) {
        name = arguments.first ?? ""
        self.mayBeAbsent = mayBeAbsent
        for name in KnownPrograms.missing(in: arguments) {
            Issue.record("\(name) has no row for tests in .ci/packages")
        }
        if case let credentials?? = environment["CREDENTIALS_DIRECTORY"] {
            Secrets.register(filesOf: credentials)
        }
        output = Self.memoryFile()
        errors = Self.memoryFile()
        let standardInput = Self.memoryFile()
        defer { withExtendedLifetime(standardInput) {} }
        try? standardInput.write(Array(input.utf8), at: 0)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput.descriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawnattr_setpgroup(&attributes, 0)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)

        // setpriv(1) stays in between only until it has asked for the signal.
        let inDirectory = directory.map { ["env", "-C", $0] } ?? []
        let command = ["setpriv", "--pdeathsig", "KILL", "--"] + inDirectory + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] =
            Self.environment(environment).map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        var result: Int32 = 0
        SpawnThread.shared.run {
            result = posix_spawnp(&pid, "setpriv", &actions, &attributes, &argv, &envp)
        }
        guard result == 0 else { fatalError("cannot start \(arguments): errno \(result)") }
        self.pid = pid
    }

    deinit {
        if !hasEnded {
            kill(-pid, SIGKILL)
            _ = wait(seconds: 10)
        }
        for text in [outputSoFar, errorsSoFar] { Secrets.check(text, of: name) }
    }

    /// Reaps it if it has ended.
    package var hasEnded: Bool {
        if waitStatus != nil { return true }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return false }
        waitStatus = status
        return true
    }

    /// Sends a signal to its group.
    package func signal(_ number: Int32) { kill(-pid, number) }

    /// What it has written to standard output so far.
    package var outputSoFar: String { Self.contents(output) }
    /// What it has written to standard error so far.
    package var errorsSoFar: String { Self.contents(errors) }

    /// How it ended, nil while it runs, and where it, or what a shell ran at last, is not here.
    package var ending: Ending? {
        guard hasEnded, let status = waitStatus else { return nil }
        let signal = status & 0x7f
        let ending = Ending(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            output: outputSoFar, errors: errorsSoFar)
        guard ending.status == Self.notFound else { return ending }
        if !mayBeAbsent && !isAbsenceTold {
            isAbsenceTold = true
            let package = KnownPrograms.packages[name].map { " of \($0)" } ?? ""
            Issue.record("\(name)\(package): not found: \(ending.errors)")
        }
        return nil
    }

    /// "If a command is not found, the child process created to execute it returns a status of 127"
    /// (bash(1)); setpriv(1), nsenter(1) and env(1) say the same.
    private static let notFound: Int32 = 127

    /// Waits for its end without a loop; nil if it does not come in time.
    package func wait(seconds: Double = 20) -> Ending? {
        waitUntil(seconds: seconds) { hasEnded }
        return ending
    }

    private static func memoryFile() -> OpenFile {
        guard let file = try? OpenFile(namelessIn: "/dev/shm") else {
            fatalError("/dev/shm: errno \(errno)")
        }
        _ = fcntl(file.descriptor, F_SETFL, O_APPEND)
        return file
    }

    private static func contents(_ file: OpenFile) -> String {
        guard let size = try? file.status().st_size,
            let bytes = try? file.bytes(at: 0, count: Int(size))
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func environment(_ changes: [String: String?]) -> [String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            let name = String(text.prefix { $0 != "=" })
            // Where gpsd is installed, which is not in the PATH of an ordinary user.
            let more = name == "PATH" ? ":/usr/sbin:/sbin" : ""
            if !changes.keys.contains(name) { entries.append(text + more) }
            next += 1
        }
        for case (let name, let value?) in changes { entries.append("\(name)=\(value)") }
        return entries
    }
}
