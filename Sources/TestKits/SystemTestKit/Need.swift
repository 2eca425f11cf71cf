import Foundation
import Glibc
package import Testing

/// What a test needs from its environment, and a container or an ordinary user may lack. Each is
/// tried once; a test that declares a need is skipped by name if it is not met (`make test` lists
/// the skipped tests, and `.ci/run` fails for any).
package enum Need: String, Sendable, CaseIterable {
    /// A mount namespace with a file system of the test's own in it.
    case mounts = "mount namespaces"
    /// strace(1) on a running program.
    case tracing = "ptrace"
    /// A serial line for a receiver.
    case terminals = "pseudo-terminals"
    /// Calls by other users, which need the right to change the user id.
    case otherUsers = "the right to become other users"
    /// A user for whom file permissions are effective: not root, or root that may change the user
    /// id.
    case permissions = "a user for whom permissions count"
    /// polkitd, which starts with rules of the test's own.
    case polkitd = "polkitd"
    /// Servers of fences from PyPI, which `.ci/fetch test` installs in `.build/servers`.
    case servers = "pyslet, odata-query and pygeoapi in .build/servers"
    /// Another parser of opening hours, installed there as well.
    case openingHours = "opening-hours-py in .build/servers"
    /// A web server.
    case nginx = "nginx"
    /// An HTTP proxy.
    case proxy = "tinyproxy"
    /// A server of maps.
    case mapserver = "MapServer"
    /// What draws pictures of maps.
    case mapnik = "gdal-bin and python3-mapnik"
    /// A PostgreSQL with PostGIS of the test's own.
    case postgis = "PostgreSQL with PostGIS"
}

extension Need {
    /// The Python of ``servers`` and ``openingHours``, or the system's where it is not installed.
    package var python: String {
        Probe.hasServers || self == .openingHours ? Probe.python : "python3"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name if the environment does not meet its need.
    package static func needs(_ need: Need) -> Self {
        .enabled("needs \(need.rawValue)") { Probe.isMet(need) }
    }
}

private enum Probe {
    /// The first thread tries; the others wait for its result.
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

    private static let root = #filePath.components(separatedBy: "/Sources/TestKits/")[0]
    fileprivate static let python = "\(root)/.build/servers/bin/python3"
    fileprivate static let hasServers = succeeds([
        "sh", "-c", "exec \"$0\" -c 'import odata_query, psycopg2, pygeoapi, pyslet'", python,
    ])
    private static let openingHours = succeeds([
        "sh", "-c", "exec \"$0\" -c 'import opening_hours'", python,
    ])
    private static let nginx = succeeds(["nginx", "-v"])
    private static let proxy = succeeds(["tinyproxy", "-v"])
    private static let mapserver = succeeds(["mapserv", "-v"])
    private static let mapnik = succeeds([
        "sh", "-c", "ogr2ogr --version && exec /usr/bin/python3 -c 'import mapnik'",
    ])
    private static let postgis: Bool = {
        guard hasServers else { return false }
        let directory = TemporaryDirectory()
        let program = "\(root)/Tests/Companions/FenceSyncTests/Servers/real/postgres.py"
        let run = Subprocess([python, "-B", program, directory.path])
        return run.wait(seconds: 60)?.status == 0
    }()

    static func isMet(_ need: Need) -> Bool {
        switch need {
        case .mounts: mounts
        case .tracing: tracing
        case .terminals: terminals
        case .otherUsers: otherUsers
        case .permissions: geteuid() != 0 || otherUsers
        case .servers: hasServers
        case .openingHours: openingHours
        case .nginx: nginx
        case .proxy: proxy
        case .mapserver: mapserver
        case .mapnik: mapnik
        case .postgis: postgis
        case .polkitd: mounts && otherUsers && access("/usr/lib/polkit-1/polkitd", X_OK) == 0
        }
    }

    private static func succeeds(_ arguments: [String]) -> Bool {
        Subprocess(arguments, mayBeAbsent: true).wait()?.status == 0
    }

    private static func tryMounts() -> Bool {
        let directory = TemporaryDirectory()
        let keeper = Subprocess(
            MountNamespace.making + [
                "sh", "-c", "mount -t tmpfs none \"$0\" && echo mounted && exec sleep 60",
                directory.path,
            ])
        guard waitUntil({ keeper.hasEnded || keeper.outputSoFar.contains("mounted") }),
            !keeper.hasEnded
        else { return false }
        let namespace = MountNamespace(of: keeper)
        return succeeds(namespace.remounting(directory.path, "ro"))
            && succeeds(namespace.wrapper + ["true"])
    }

    private static func tryTracing() -> Bool {
        let traced = Subprocess(["sleep", "60"])
        let strace = Subprocess(
            ["strace", "-o", "/dev/null", "-p", "\(traced.pid)"], mayBeAbsent: true)
        return waitUntil { strace.hasEnded || strace.errorsSoFar.contains("attached") }
            && !strace.hasEnded
    }
}
