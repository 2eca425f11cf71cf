import Foundation
import SystemTestKit
import Testing

/// tinyproxy on this machine.
@MainActor
final class ProxyServer {
    private let directory = TemporaryDirectory()
    private let program: Subprocess
    private let port: String

    /// - Parameter wantsPassword: whether it requires a password.
    init(wantsPassword: Bool = false) throws {
        let file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
            + "/Servers/real/proxy"
        let program = Subprocess(
            ["python3", file, directory.path] + (wantsPassword ? ["password"] : []),
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        self.program = program
        let portFile = directory.file("port")
        try #require(
            waitUntil(seconds: 20) {
                program.hasEnded || FileManager.default.fileExists(atPath: portFile)
            })
        try #require(!program.hasEnded, "\(program.errorsSoFar)")
        port = try String(contentsOfFile: portFile, encoding: .utf8)
    }

    isolated deinit { stop() }

    /// Stops the proxy: nothing listens on its port any more.
    func stop() {
        program.signal(SIGTERM)
        _ = program.wait(seconds: 10)
    }

    /// For `Proxy=`.
    var address: String { "http://127.0.0.1:\(port)" }

    /// The requests that it got: a method and an address, or CONNECT and a host.
    var requests: [String] {
        let text = (try? String(contentsOfFile: directory.file("log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard line.contains("Request (file descriptor") else { return nil }
            return line.components(separatedBy: "): ").last?.replacing(" HTTP/1.1", with: "")
        }
    }
}
