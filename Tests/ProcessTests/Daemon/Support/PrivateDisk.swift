import Glibc
import SystemTestKit
import Testing

/// A disk of a megabyte or so that belongs to one test: mounted, filled and made read-only in a
/// mount name space of its own, into which ``wrapper`` puts the daemon.
@MainActor
final class PrivateDisk {
    /// Where it is mounted, inside.
    let path: String
    private let keeper: Subprocess
    private var fillings = 0

    /// - Parameter path: a directory that exists.
    init(at path: String, kibibytes: Int = 1_024) throws {
        self.path = path
        keeper = Subprocess(
            MountNamespace.making + [
                "sh", "-c",
                """
                mount -t tmpfs -o size=\(kibibytes)k,mode=700 none "$0" && echo mounted &&
                exec sleep 3600
                """, path,
            ])
        try #require(
            waitUntil(seconds: 30) { keeper.hasEnded || keeper.outputSoFar.contains("mounted") })
        try #require(!keeper.hasEnded, "name spaces are denied: \(keeper.errorsSoFar)")
    }

    /// The command prefix that runs a program in the mount namespace of the disk.
    var wrapper: [String] { MountNamespace(of: keeper).wrapper }

    /// A file of the disk, as seen from outside.
    func file(_ name: String) -> String { "/proc/\(keeper.pid)/root\(path)/\(name)" }

    /// Writes until not one byte more fits.
    func fill() throws {
        fillings += 1
        let file = open(file("filling-\(fillings)"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0, "errno \(errno)")
        defer { close(file) }
        let block = [UInt8](repeating: 0x55, count: 4096)
        while write(file, block, block.count) > 0 {}
        try #require(errno == ENOSPC)
    }

    /// Frees the space.
    func free() {
        for number in 1...max(1, fillings) { unlink(file("filling-\(number)")) }
        fillings = 0
    }

    /// Mounts it again: "ro", "rw".
    func remount(_ option: String) throws {
        let run = Subprocess(MountNamespace(of: keeper).remounting(path, option))
        let ending = try #require(run.wait())
        try #require(ending.status == 0, "\(ending.errors)")
    }
}
