import Glibc

/// A mount namespace that a program keeps. That of an ordinary user is in a user namespace, in which
/// the user is root and may mount.
package struct MountNamespace: Sendable {
    private let keeper: pid_t

    /// Of a program that ``making`` has begun.
    package init(of keeper: Subprocess) { self.keeper = keeper.pid }

    /// The prefix of a command that keeps a new one.
    package static var making: [String] {
        ["unshare", "--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])
    }

    /// The prefix of a command that mounts in it.
    package var mounting: [String] {
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        return ["nsenter"] + user + ["--mount", "--target", "\(keeper)", "--"]
    }

    /// The prefix of a program that runs in it as the user that it is outside: programs compare who
    /// they are with what a bus says of its callers.
    package var wrapper: [String] {
        guard geteuid() != 0 else { return mounting }
        return mounting + [
            "unshare", "--map-user=\(geteuid())", "--map-group=\(getegid())", "--",
        ]
    }

    /// The command that mounts a file system of it again: mount(8) of util-linux 2.38 repeats the
    /// options of /proc/mounts otherwise, of which the kernel refuses an ordinary user `uid=`.
    package func remounting(_ path: String, _ options: String) -> [String] {
        mounting + ["mount", "--options-mode", "ignore", "-o", "remount,\(options)", path]
    }
}
