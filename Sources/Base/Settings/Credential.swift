import Glibc

// Unsafe: system calls take a path and an array of ours, with its own count.

/// Files of `$CREDENTIALS_DIRECTORY`, see systemd.exec(5): secrets are never in the configuration.
package enum Credential {
    /// Bytes that are read of one.
    private static let longest = 16 << 10

    /// The path of a credential; nil if it is not there. The unit loads a directory as `c`, and
    /// systemd joins that name and the file's with an underscore.
    package static func path(of name: String, in directory: String?) -> String? {
        guard let directory, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }
        return ["\(directory)/c_\(name)", "\(directory)/\(name)"].first {
            unsafe access($0, R_OK) == 0
        }
    }

    /// The content without the line break at its end; nil if it is no text of at most 16 KiB.
    package static func text(at path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longest {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard bytes.count <= longest else { return nil }
        var text = bytes[...]
        while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
        return String(validating: text, as: UTF8.self)
    }
}
