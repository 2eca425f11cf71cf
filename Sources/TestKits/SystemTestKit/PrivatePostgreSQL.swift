import Glibc

/// A PostgreSQL of the test's own, on a socket in a temporary directory.
package final class PrivatePostgreSQL {
    /// A connection string of its superuser.
    package let address: String
    private let directory = TemporaryDirectory()
    private let command: [String]
    private var process: Subprocess?
    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Nil if it does not start, which a test requires.
    package init?() {
        // PostgreSQL refuses to run as root.
        let asOther =
            geteuid() == 0
            ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"] : []
        chmod(directory.path, 0o777)
        let data = directory.file("data")
        address = "host=\(directory.path) user=fleet dbname=postgres"
        command =
            asOther + [
                "\(Self.programs)/postgres", "-D", data, "-k", directory.path, "-h", "",
                "-c", "fsync=off", "-c", "autovacuum=off",
            ]
        let made = Subprocess(
            asOther + [
                "\(Self.programs)/initdb", "-D", data, "-U", "fleet", "-A", "trust", "--no-sync",
                "--no-locale", "-E", "UTF8",
            ])
        guard made.wait(seconds: 60)?.status == 0, start() else { return nil }
    }

    deinit { stop() }

    /// Whether it listens; it accepts a little later.
    package func start() -> Bool {
        process = Subprocess(command)
        let socket = directory.file(".s.PGSQL.5432")
        return waitUntil(seconds: 30) { access(socket, F_OK) == 0 }
    }

    /// "Fast Shutdown": sessions are ended.
    package func stop() {
        process?.signal(SIGINT)
        _ = process?.wait(seconds: 10)
        process = nil
    }
}
