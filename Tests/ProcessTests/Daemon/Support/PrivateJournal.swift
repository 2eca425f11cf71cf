import Glibc
import JSON
import SystemTestKit
import Testing

/// systemd-journald itself in a mount name space of its own, where it has the paths to which
/// journal clients write; ``wrapper`` puts the daemon in there. Without name spaces the test fails:
/// there is no other way to show that a real journal accepts the entries.
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
            exec python3 "$2"
            """, to: "start")
        // As PID 1 does: the sockets outlive the journald that reads from them, see
        // systemd-journald.socket, and a journald that has died is started again.
        let holder = directory.write(
            """
            import os, socket
            names = [("socket", socket.SOCK_DGRAM), ("stdout", socket.SOCK_STREAM)]
            for number, (name, kind) in enumerate(names):
                held = socket.socket(socket.AF_UNIX, kind)
                held.bind("/run/systemd/journal/" + name)
                if kind == socket.SOCK_STREAM: held.listen(16)
                os.dup2(held.detach(), 3 + number)
                os.set_inheritable(3 + number, True)
            while True:
                child = os.fork()
                if child == 0:
                    os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()))
                    os.execv("/lib/systemd/systemd-journald", ["systemd-journald"])
                print(child, flush=True)
                os.waitpid(child, 0)
            """, to: "hold.py")
        journald = Subprocess(
            MountNamespace.making + ["sh", script, directory.file("log"), holder])
        let socket = "/proc/\(journald.pid)/root/run/systemd/journal/socket"
        try #require(
            waitUntil { journald.hasEnded || access(socket, F_OK) == 0 }, "no journald")
        try #require(
            !journald.hasEnded, "name spaces are denied, or no journald: \(journald.errorsSoFar)")
    }

    /// Sends a signal to the journald that runs now.
    func signal(_ number: Int32) { process.map { _ = Glibc.kill($0, number) } }

    /// How many there have been, including the current one.
    var starts: Int { journald.outputSoFar.count(where: \.isNewline) }

    private var process: pid_t? {
        journald.outputSoFar.split(separator: "\n").last.flatMap { pid_t($0) }
    }

    /// The command prefix that runs a program in the mount namespace of this journald.
    var wrapper: [String] { MountNamespace(of: journald).wrapper }

    /// Entries that match, as `journalctl -o json` gives them; those after the entry with that
    /// cursor only.
    /// The later ones are identified by their numbers: journalctl 252 sometimes finds nothing after
    /// a cursor together with a match, although there are entries.
    func entries(_ match: String, after cursor: String? = nil) throws -> [JSONValue] {
        let run = Subprocess([
            "journalctl", "-D", directory.file("log"), "-o", "json", "--no-pager", match,
        ])
        let entries = try #require(run.wait()).output.jsonLines
        guard let cursor else { return entries }
        let last = try #require(Self.number(cursor))
        return try entries.filter {
            try #require($0["__CURSOR"]?.string.flatMap(Self.number)) > last
        }
    }

    /// The number of the entry that a cursor refers to (sd_journal_get_cursor(3)); a restarted
    /// journald continues counting.
    private static func number(_ cursor: String) -> UInt64? {
        cursor.split(separator: ";").first { $0.hasPrefix("i=") }
            .flatMap { UInt64($0.dropFirst(2), radix: 16) }
    }
}
