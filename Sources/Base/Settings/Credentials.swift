import Files
import Glibc

// Unsafe: access(2) takes a path of ours.

/// Secrets, as the service manager hands them over: files in `$CREDENTIALS_DIRECTORY`, `NAME`, or
/// `c_NAME` where a whole directory was loaded as `c` (systemd.exec(5), LoadCredential=). They are
/// never in the configuration, which says `@NAME`.
package struct Credentials: Hashable, Sendable {
    private let directory: String?

    /// Bytes of a secret.
    private static let longest = 1 << 16

    /// - Parameter directory: that of the environment; nil: none were loaded.
    package init(directory: String?) { self.directory = directory }

    /// Path of a credential that is there.
    /// - Throws: where it is not.
    package func path(of name: String) throws(BadValue) -> String {
        guard let directory else {
            throw BadValue(reason: "no credentials were loaded, and @\(name) is needed")
        }
        for file in ["\(directory)/\(name)", "\(directory)/c_\(name)"] {
            if unsafe access(file, R_OK) == 0 { return file }
        }
        throw BadValue(reason: "there is no credential \(name)")
    }

    /// The text of a credential, without the line break at its end.
    /// - Throws: where it is not there, empty, long or no text.
    package func text(of name: String) throws(BadValue) -> String {
        let path = try path(of: name)
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try OpenFile.contents(of: path, limit: Self.longest)
        } catch { throw BadValue(reason: "credential \(name): \(error)") }
        guard var text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw BadValue(reason: "credential \(name) is no text")
        }
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw BadValue(reason: "credential \(name) is empty") }
        return text
    }

    /// The name in `@NAME`, a part of a file name. What else stands there may be a secret: it is not
    /// repeated.
    package static func name(_ text: String) throws(BadValue) -> String {
        let name = text.dropFirst()
        guard text.hasPrefix("@"), !name.isEmpty, !name.hasPrefix("."),
            name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F })
        else { throw BadValue(reason: "not the name of a credential: @NAME") }
        return String(name)
    }
}
