import Foundation
import Glibc
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct MetricsVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    private func value(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    @Test("what the daemon knows is told, and nothing of where the vehicle is")
    func told() throws {
        try daemon.add("depot", east: 300)
        daemon.drive(from: 0, to: 600)
        let run = try daemon.run("metrics")
        #expect(run.status == 0, "\(run.errors)")
        let text = run.output
        #expect(value("geofenced_up", in: text) == "1")
        #expect(value("geofenced_events_total", in: text) == "2")
        #expect(value("geofenced_fences", in: text) == "1")
        #expect(value(#"geofenced_position_state{state="known"}"#, in: text) == "1")
        #expect(value(#"geofenced_position_state{state="lost"}"#, in: text) == "0")
        #expect(value(#"geofenced_fixes_total{result="accepted"}"#, in: text) == "31")
        #expect(value(#"geofenced_build_info{version="1.2.3"}"#, in: text) == "1")
        let driven = Double(value("geofenced_driven_meters_total", in: text) ?? "") ?? 0
        #expect(abs(driven - 600) < 30, "\(driven)")
        for secret in ["48.0", "11.0", "depot"] { #expect(!text.contains(secret), "\(secret)") }
        // The collector of text files refuses times.
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(
                line.split(separator: "}").last?.split(separator: " ").count
                    == (line.contains("}") ? 1 : 2), "\(line)")
        }
    }

    @Test("a file is replaced as a whole, everybody may read it, and it is no other thing")
    func file() throws {
        let path = daemon.directory.file("geofenced.prom")
        for _ in 1...2 {
            #expect(try daemon.run("metrics", "--output", path).status == 0)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix("# HELP geofenced_up ") && text.hasSuffix("\n"))
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o644)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        let link = daemon.directory.file("link.prom")
        #expect(symlink("/dev/null", link) == 0)
        #expect(try daemon.run("metrics", "--output", link).status == 1)
        let nowhere = try daemon.run("metrics", "--output", "/nowhere/x.prom")
        #expect(nowhere.status == 1 && nowhere.errors.contains("/nowhere/x.prom"))
    }

    @Test("a daemon that does not run is a metric, and the only one")
    func absent() throws {
        daemon.leave()
        let run = try daemon.run("metrics")
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["geofenced_up 0"])
    }
}
