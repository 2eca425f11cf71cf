import Files
import Synchronization
import Testing

/// Secrets of this process's tests: each output of every ``Subprocess`` is looked through for all of
/// them, whoever wrote it: a program of ours, a database or a broker to its log.
package enum Secrets {
    private static let known = Mutex<Set<String>>([])
    /// Bytes: a shorter one would be found by chance.
    private static let shortest = 8
    /// Bytes: a longer line of a file is none.
    private static let longest = 256

    /// From now on it is a secret, which stays one.
    package static func register(_ text: String) {
        guard text.utf8.count >= shortest else { fatalError("too short for a secret of a test") }
        known.withLock { _ = $0.insert(text) }
    }

    /// From now on the credentials of a program are: files of one line, and the lines of keys.
    static func register(filesOf directory: String) {
        for name in (try? Directory.names(in: directory, limit: 1000)) ?? [] {
            guard let bytes = try? OpenFile.contents(of: "\(directory)/\(name)", limit: 1 << 16),
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            let lines = text.split(separator: "\n").map(String.init)
            guard lines.count == 1 || text.contains("PRIVATE KEY") else { continue }
            for line in lines
            where (shortest...longest).contains(line.utf8.count) && !line.hasPrefix("-----") {
                register(line)
            }
        }
    }

    /// Reports what is in a text of that program.
    static func check(_ text: String, of program: String) {
        // By bytes: a secret with an accent after it is one all the same.
        let bytes = Array(text.utf8)
        for secret in known.withLock({ $0 }) where bytes.contains(Array(secret.utf8)) {
            Issue.record("\(program) has told a secret: \(text)")
            return
        }
    }
}
