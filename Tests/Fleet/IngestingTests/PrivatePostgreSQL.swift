import Glibc
import SystemTestKit

/// A PostgreSQL of the test's own, on a socket in a temporary directory.
final class PrivatePostgreSQL {
    /// A connection string of its superuser.
    let address: String
    private let directory = TemporaryDirectory()
    private let process: Subprocess
    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Nil if it does not start, which a test requires.
    init?() {
        // PostgreSQL refuses to run as root.
        let asOther =
            geteuid() == 0
            ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"] : []
        chmod(directory.path, 0o777)
        let data = directory.file("data")
        let made = Subprocess(
            asOther + [
                "\(Self.programs)/initdb", "-D", data, "-U", "fleet", "-A", "trust", "--no-sync",
                "--no-locale", "-E", "UTF8",
            ])
        guard made.wait(seconds: 60)?.status == 0 else { return nil }
        process = Subprocess(
            asOther + [
                "\(Self.programs)/postgres", "-D", data, "-k", directory.path, "-h", "",
                "-c", "fsync=off", "-c", "autovacuum=off",
            ])
        address = "host=\(directory.path) user=fleet dbname=postgres"
        let socket = directory.file(".s.PGSQL.5432")
        guard waitUntil(seconds: 30, { access(socket, F_OK) == 0 }) else { return nil }
    }

    deinit {
        // "Fast Shutdown": sessions are ended.
        process.signal(SIGINT)
        _ = process.wait(seconds: 10)
    }
}
