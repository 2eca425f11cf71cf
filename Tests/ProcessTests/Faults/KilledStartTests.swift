import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    /// SIGKILL while files are made, and during a large change.
    @MainActor
    @Suite("killed while its files change", .needs(.tracing))
    struct KilledStartTests {
        @Test("made for the first time: they are whole at the next start, whenever it is killed")
        func creation() throws {
            let calm = try NewState()
            let counts = try calm.countCalls()
            try calm.live()
            let expected = try calm.contents()
            #expect(expected.count > 3)
            var kills = 0
            for kill in Kill.chosen(counts, sample: 6) {
                let state = try NewState()
                guard try state.live(under: kill.tracer) == false else { continue }
                kills += 1
                try state.live()
                #expect(try state.contents() == expected, "\(kill)")
            }
            #expect(kills > 3)
            if FaultScope.isWhole { print("kills at a first start: \(kills)") }
        }

        @Test("an import over the bus: all of it or nothing, and all if it was acknowledged")
        func imported() throws {
            let places = (0..<300).map { "\($0),\(48 + Double($0) / 1_000),11,50" }
            let text = "id,latitude,longitude,radius\n" + places.joined(separator: "\n") + "\n"
            var kills = 0
            for call in ["pwrite64", "fdatasync", "unlink"] {
                var number =
                    FaultScope.isWhole ? 1 : call == "pwrite64" ? Int.random(in: 1...20) : 1
                while true {
                    let bench = try DaemonBench()
                    let file = bench.directory.write(text, to: "many.csv")
                    try bench.startAndWait()
                    let tracer = try Tracer(
                        try #require(bench.daemon), "\(call):signal=KILL:when=\(number)")
                    let run = try bench.tool("import", file)
                    let isDead = waitUntil(seconds: run.status == 0 ? 0.2 : 60) { bench.hasEnded }
                    try tracer.end()
                    bench.kill()
                    try bench.startAndWait()
                    let count = bench.property("FenceCount")
                    #expect(
                        count == "300" || count == "0" && run.status != 0,
                        "\(call) \(number): \(count ?? "") \(run)")
                    #expect(bench.said("set aside").isEmpty, "\(bench.errors)")
                    kills += isDead ? 1 : 0
                    number += 1
                    guard FaultScope.isWhole, isDead else { break }
                }
            }
            #expect(kills > 0)
            if FaultScope.isWhole { print("kills in an import: \(kills)") }
        }
    }
}

/// A state directory without files, and a daemon that makes them.
@MainActor
private final class NewState {
    private let bench: DaemonBench

    init() throws { bench = try DaemonBench(withBus: false) }

    /// Starts it and stops it; false when it was killed.
    @discardableResult
    func live(under tracer: [String] = []) throws -> Bool {
        bench.wrapper = tracer
        bench.start()
        bench.wrapper = []
        try #require(
            waitUntil(seconds: 60) { bench.hasEnded || !bench.said("watching").isEmpty })
        if !bench.hasEnded { bench.daemon?.signal(SIGTERM) }
        let ending = try #require(bench.daemon?.wait(seconds: 60))
        try #require(ending.status == 0 || ending.status == 137, "\(ending)")
        return ending.status == 0
    }

    func countCalls() throws -> [String: Int] {
        let new = try NewState()
        return try Kill.counts(new.bench.directory.file("calls")) { _ = try new.live(under: $0) }
    }

    /// The complete contents of the files.
    func contents() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.state).sorted()
        return names.filter { $0.contains("unusable") }
            + (try ask("PRAGMA user_version", "events"))
            + (try ask("SELECT * FROM event", "events"))
            + (try ask("SELECT * FROM stay", "events"))
            + (try ask("SELECT * FROM state", "events"))
            + (try ask("PRAGMA user_version", "catalogue"))
            + (try ask("SELECT * FROM fence", "catalogue"))
            + (try ask("SELECT * FROM state", "catalogue"))
    }

    private func ask(_ question: String, _ name: String) throws -> [String] {
        let run = Subprocess(["sqlite3", "-quote", "\(bench.state)/\(name).sqlite", question])
        let ending = try #require(run.wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return ending.output.split(separator: "\n").map(String.init)
    }
}
