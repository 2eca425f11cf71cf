import Files
import Glibc
package import Program
package import Settings
package import Systemd

/// The credentials of an instance as its unit loads them, by
/// `LoadCredential=c:/etc/geofenced/credentials/NAME/`: for `--check` from a shell, to which the service
/// manager hands over none.
package enum UnitCredentials {
    /// Says in the log what is wrong with them, or that this user may not look.
    /// - Parameters:
    ///   - instance: what stands behind the `@` of the unit.
    ///   - judge: throws what is wrong with the first that is not good.
    /// - Returns: failed also where there is no such directory, without which the unit does not start.
    @MainActor
    package static func check(
        of instance: String, _ log: Log, _ judge: (Credentials) throws(BadValue) -> Void
    ) -> ExitStatus {
        // Set where the check runs in the unit itself.
        let loaded = environment("CREDENTIALS_DIRECTORY")
        let directory = loaded ?? "/etc/geofenced/credentials/\(instance)"
        do throws(Errno) { _ = try Directory.names(in: directory, limit: 1) } catch {
            guard error != Errno(EACCES) else {
                log.complain(
                    "\(directory): only root may look whether the credentials are there", .warning)
                return .good
            }
            log.complain(
                "\(directory): \(error); without it the unit fails with \"credentials: "
                    + "Protocol error\": mkdir -p -m 700 \(directory), which may stay empty")
            return .failed
        }
        do throws(BadValue) { try judge(Credentials(directory: directory)) } catch {
            log.complain("\(error.reason); it is a file of \(directory)")
            return .failed
        }
        return .good
    }
}
