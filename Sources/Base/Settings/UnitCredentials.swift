import Files
import Glibc

/// The credentials of an instance as its unit loads them, by
/// `LoadCredential=c:/etc/geofenced/credentials/NAME/`: for a check from a shell, to which the service
/// manager hands over none.
package enum UnitCredentials {
    /// Whether those are there, and good, that a configuration names.
    /// - Parameters:
    ///   - instance: what stands behind the `@` of the unit.
    ///   - loaded: `$CREDENTIALS_DIRECTORY`, where the check runs in the unit itself.
    ///   - judge: throws what is wrong with the first that is not good.
    /// - Returns: a warning where this user may not look.
    /// - Throws: what `judge` does; where there is no such directory, without which the unit does not
    ///   start.
    package static func check(
        of instance: String, loaded: String?, _ judge: (Credentials) throws(BadValue) -> Void
    ) throws(BadValue) -> String? {
        let directory = loaded ?? "/etc/geofenced/credentials/\(instance)"
        do throws(Errno) { _ = try Directory.names(in: directory, limit: 1) } catch {
            guard error != Errno(EACCES) else {
                return "\(directory): only root may look whether the credentials are there"
            }
            throw BadValue(
                reason: "\(directory): \(error); without it the unit fails with \"credentials: "
                    + "Protocol error\": mkdir -p -m 700 \(directory), which may stay empty")
        }
        do throws(BadValue) { try judge(Credentials(directory: directory)) } catch {
            throw BadValue(reason: "\(error.reason); it is a file of \(directory)")
        }
        return nil
    }
}
