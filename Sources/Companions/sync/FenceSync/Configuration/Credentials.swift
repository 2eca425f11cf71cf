import Glibc
import Systemd

// Unsafe: system calls take a path and an array of ours, with its own count.

/// Secrets, as the service manager hands them over: files in `$CREDENTIALS_DIRECTORY`, `NAME`, or
/// `c_NAME` where a whole directory was loaded as `c` (systemd.exec(5), LoadCredential=).
package struct Credentials: Sendable {
    private let directory: String?

    /// Bytes of a secret.
    private static let longest = 1 << 16

    /// - Parameter directory: that of the environment unless given.
    package init(directory: String? = environment("CREDENTIALS_DIRECTORY")) {
        self.directory = directory
    }

    /// Path of a credential that is there.
    /// - Throws: ``SyncFailure`` where it is not.
    package func path(of name: String) throws(SyncFailure) -> String {
        guard let directory else {
            throw SyncFailure(.invalid, "no credentials were loaded, and @\(name) is needed")
        }
        for file in ["\(directory)/\(name)", "\(directory)/c_\(name)"] {
            if unsafe access(file, R_OK) == 0 { return file }
        }
        throw SyncFailure(.invalid, "there is no credential \(name)")
    }

    /// The text of a credential, without the line break at its end.
    package func text(of name: String) throws(SyncFailure) -> String {
        let path = try path(of: name)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw unsafe SyncFailure(
                .invalid, "credential \(name): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count >= 0, count < Self.longest,
            var text = String(validating: bytes[..<count], as: UTF8.self)
        else { throw SyncFailure(.invalid, "credential \(name) is no short text") }
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw SyncFailure(.invalid, "credential \(name) is empty or binary")
        }
        return text
    }
}
