import Foundation
import Glibc
package import Testing

/// What a test needs of the place it runs in, and a container or an ordinary user may lack. Each is
/// tried for real, once; a test that says what it needs is skipped by name where it is denied
/// (`make test` lists those, and `.ci/run` takes none).
package enum Need: String, Sendable, CaseIterable {
    /// A mount namespace with a file system of one's own in it.
    case mounts = "mount namespaces"
    /// strace(1) on a program that runs already.
    case tracing = "ptrace"
    /// A serial line for a receiver.
    case terminals = "pseudo-terminals"
    /// Other users call: that needs the right to become them.
    case otherUsers = "the right to become other users"
    /// A user for whom file permissions count: ourselves, or one that root may become.
    case permissions = "a user for whom permissions count"
    /// polkitd, which starts with rules of the test's own.
    case polkitd = "polkitd"
}

extension Trait where Self == ConditionTrait {
    /// The test is skipped by name where the place denies what it needs.
    package static func needs(_ need: Need) -> Self {
        .enabled("needs \(need.rawValue)") { Probe.isMet(need) }
    }
}

private enum Probe {
    /// Threads that come first try; the others wait for what they find out.
    private static let mounts = tryMounts()
    private static let tracing = tryTracing()
    private static let terminals: Bool = {
        guard let terminal = PseudoTerminal() else { return false }
        close(terminal.leader)
        return true
    }()
    private static let otherUsers = succeeds([
        "setpriv", "--reuid", "1", "--regid", "1", "--clear-groups", "true",
    ])

    static func isMet(_ need: Need) -> Bool {
        switch need {
        case .mounts: mounts
        case .tracing: tracing
        case .terminals: terminals
        case .otherUsers: otherUsers
        case .permissions: geteuid() != 0 || otherUsers
        case .polkitd: mounts && otherUsers && access("/usr/lib/polkit-1/polkitd", X_OK) == 0
        }
    }

    private static func succeeds(_ arguments: [String]) -> Bool {
        Subprocess(arguments).wait()?.status == 0
    }

    private static func tryMounts() -> Bool {
        let directory = TemporaryDirectory()
        let isRoot = geteuid() == 0
        let keeper = Subprocess(
            ["unshare", "--mount"] + (isRoot ? [] : ["--map-root-user"]) + [
                "sh", "-c", "mount -t tmpfs none \"$0\" && echo mounted && exec sleep 60",
                directory.path,
            ])
        guard waitUntil({ keeper.hasEnded || keeper.outputSoFar.contains("mounted") }),
            !keeper.hasEnded
        else { return false }
        return succeeds(
            ["nsenter"] + (isRoot ? [] : ["--user", "--preserve-credentials"]) + [
                "--mount", "--target", "\(keeper.pid)", "--", "mount", "-o", "remount,ro",
                directory.path,
            ])
    }

    private static func tryTracing() -> Bool {
        let traced = Subprocess(["sleep", "60"])
        let strace = Subprocess(["strace", "-o", "/dev/null", "-p", "\(traced.pid)"])
        return waitUntil { strace.hasEnded || strace.errorsSoFar.contains("attached") }
            && !strace.hasEnded
    }
}
