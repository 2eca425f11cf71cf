import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("wear", .needs(.tracing))
    struct WearTests {
        @Test("a drive writes 24 KiB per event at most, and not a byte elsewhere")
        func drive() throws {
            let drive = try PipedDrive(try Trace.drive())
            let trace = drive.bench.directory.file("trace")
            let calls = "pwrite64,pwritev,write,writev,ftruncate,fallocate"
            let tracer = ["strace", "-f", "-qqq", "-y", "-o", trace, "-e", "trace=\(calls)"]
            #expect(try drive.live(under: tracer) == .stopped)
            var (bytes, isDriving, others) = (0, false, Set<String>())
            for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
                // PID CALL(3</path>, …) = 4096
                if line.contains("fixes come from") { isDriving = true }
                guard isDriving, let count = line.split(separator: " ").last.flatMap({ Int($0) }),
                    let path = line.split(separator: "<").dropFirst().first?
                        .prefix(while: { $0 != ">" })
                else { continue }
                if path.hasPrefix(drive.bench.state) {
                    bytes += line.contains(" ftruncate(") ? 0 : count
                } else if path.hasPrefix("/") {
                    others.insert(String(path))
                }
            }
            let perEvent = bytes / drive.events
            #expect(perEvent <= 24 * 1_024, "\(perEvent)")
            #expect(perEvent >= 1_000, "nothing was measured")
            // Standard output and error, files of memory in the test.
            #expect(others.allSatisfy { $0.hasPrefix("/dev/") }, "\(others)")
            if FaultScope.isWhole {
                print("\(bytes) bytes for \(drive.events) events, stop and checkpoint included")
            }
        }
    }
}
