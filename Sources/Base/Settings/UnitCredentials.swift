import Files
import Glibc

/// The credentials of an instance as its unit loads them, by
/// `LoadCredential=c:/etc/geofenced/credentials/NAME/`: for a check from a shell, to which the service
/// manager hands over none.
package struct UnitCredentials: Sendable {
    /// The directory that the unit loads.
    package let directory: String
    /// What is there; nil where this user may not look.
    package let credentials: Credentials?

    /// - Parameters:
    ///   - instance: what stands behind the `@` of the unit.
    ///   - loaded: `$CREDENTIALS_DIRECTORY`, where the check runs in the unit itself.
    /// - Throws: where there is no such directory, without which the unit does not start.
    package init(of instance: String, loaded: String?) throws(BadValue) {
        directory = loaded ?? "/etc/geofenced/credentials/\(instance)"
        do throws(Errno) {
            _ = try Directory.names(in: directory, limit: 1)
            credentials = Credentials(directory: directory)
        } catch {
            guard error != Errno(EACCES) else {
                credentials = nil
                return
            }
            throw BadValue(
                reason: "\(directory): \(error); without it the unit fails with \"credentials: "
                    + "Protocol error\": mkdir -p -m 700 \(directory), which may stay empty")
        }
    }
}
