import Glibc
import JSON
import SystemTestKit
import Testing

/// systemd-journald itself in a mount name space of its own, where it has the paths to which
/// journal clients write; ``wrapper`` puts the daemon in there. Where name spaces are denied the
/// test fails: there is no other way to show that a real journal takes the entries.
@MainActor
final class PrivateJournal {
    private let directory = TemporaryDirectory()
    private let journald: Subprocess

    init() throws {
        let script = directory.write(
            """
            set -e
            mkdir "$1"
            mount -t tmpfs -o mode=755 none /run
            mkdir -p /run/log/journal /run/systemd/journal /run/systemd/journald.conf.d
            mount --bind "$1" /run/log/journal
            cat >/run/systemd/journald.conf.d/test.conf <<end
            [Journal]
            Storage=volatile
            ForwardToSyslog=no
            ForwardToWall=no
            ReadKMsg=no
            Audit=no
            end
            exec /lib/systemd/systemd-journald
            """, to: "start")
        let asOther = geteuid() == 0 ? [] : ["--map-root-user"]
        journald = Subprocess(
            ["unshare", "--mount"] + asOther + ["sh", script, directory.file("log")])
        let socket = "/proc/\(journald.pid)/root/run/systemd/journal/socket"
        try #require(
            waitUntil { journald.hasEnded || access(socket, F_OK) == 0 }, "no journald")
        try #require(
            !journald.hasEnded, "name spaces are denied, or no journald: \(journald.errorsSoFar)")
    }

    /// Put before a program it runs where this journald is.
    var wrapper: [String] {
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        return ["nsenter"] + user + ["--mount", "--target", String(journald.pid), "--"]
    }

    /// Entries that match, as `journalctl -o json` gives them.
    func entries(_ match: String) throws -> [JSONValue] {
        let run = Subprocess([
            "journalctl", "-D", directory.file("log"), "-o", "json", "--no-pager", match,
        ])
        let ending = try #require(run.wait())
        return try ending.output.jsonLines
    }
}
