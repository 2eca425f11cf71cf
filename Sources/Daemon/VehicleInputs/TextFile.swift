import Files
package import Systemd
import Time

/// Watches a small file that another program writes, in place or by replacing it, and reads it after each
/// change. It may come later, and so may its directory.
@MainActor
package final class TextFile {
    /// What is in it.
    package enum Content: Hashable, Sendable {
        /// Without spaces and line breaks around it; perhaps empty.
        case text(String)
        /// There is no file.
        case missing
        /// It cannot be taken; a phrase for the log.
        case refused(String)
    }

    private let loop: EventLoop
    private let path: String
    private let limit: Int
    private let handler: @MainActor (Content) -> Void
    private var watch: DirectoryWatch?
    private var retry: TimerSource?
    private var backOff = BackOff(limit: .seconds(300))
    private var last: Content?

    /// Bytes around the text that count for nothing.
    private static let room = 16

    /// Calls `handler` with the present content, soon, and then with each one that is different.
    /// - Parameters:
    ///   - path: absolute.
    ///   - limit: bytes that the text may have.
    package init(
        on loop: EventLoop, path: String, limit: Int,
        handler: @escaping @MainActor (Content) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.path = path
        self.limit = limit
        self.handler = handler
        retry = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.begin() }
        retry?.arm(at: EventLoop.uptime)
    }

    private var directory: String {
        let above = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return above.isEmpty ? "/" : String(above)
    }

    /// Watched first: what changes while it is read is read again.
    private func begin() {
        watch = nil
        do throws(SystemError) {
            watch = try DirectoryWatch(loop, path: directory) { [weak self] in
                if $0 == .gone { self?.lost() }
                self?.look()
            }
            backOff.succeed()
        } catch { lost() }
        look()
    }

    private func lost() {
        backOff.fail(at: EventLoop.uptime)
        if let until = backOff.until { retry?.arm(at: until) }
    }

    private func look() {
        let content = read()
        guard content != last else { return }
        last = content
        handler(content)
    }

    private func read() -> Content {
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try OpenFile.contents(of: path, limit: limit + Self.room)
        } catch {
            return error.isMissing ? .missing : .refused("\(error)")
        }
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let text = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        guard text.count <= limit else { return .refused("more than \(limit) bytes") }
        guard let text = String(validating: Array(text), as: UTF8.self) else {
            return .refused("not UTF-8")
        }
        return .text(text)
    }
}
