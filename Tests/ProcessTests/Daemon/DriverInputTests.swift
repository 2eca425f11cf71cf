import Glibc
import JSON
import SystemTestKit
import Systemd
import Testing

extension DaemonTests {
    /// A program on the bus and a file that say who drives, and the real daemon.
    @MainActor
    @Suite("and what says who drives", .serialized)
    struct DriverInputTests {
        private let bench: DaemonBench
        private let loop: EventLoop

        private static let name = "org.example.Cards"

        init() throws {
            bench = try DaemonBench()
            loop = try EventLoop()
            mkdir(bench.directory.file("card"), 0o700)
        }

        private func configure(_ lines: String...) {
            bench.directory.write(
                "[Driver]\n" + lines.joined(separator: "\n") + "\n", to: "geofenced.conf")
        }

        private var file: String { "File=\(bench.directory.file("card/id"))" }

        /// `jane file`; `nobody` for nobody.
        private func driver() throws -> String {
            let answer = try bench.json("driver", "show").first
            return answer?["driver"]?.string.map { "\($0) \(answer?["source"]?.string ?? "?")" }
                ?? "nobody"
        }

        private func drives(_ who: String) throws -> Bool {
            try loop.run(seconds: 20) { (try? driver()) == who }
        }

        @Test(
            "a file names the driver; a call holds until it says something else, also across a kill"
        )
        func ofFile() throws {
            configure(file)
            bench.directory.write("jane\n", to: "card/id")
            try bench.startAndWait()
            #expect(try drives("jane file"))
            #expect(!bench.said("the driver was set by a file").isEmpty)
            #expect(bench.said("jane").isEmpty, "no line of the log has the id")
            #expect(try bench.tool("driver", "set", "bob").status == 0)
            bench.directory.write("jane", to: "card/id")
            bench.kill()
            try bench.startAndWait()
            // A signal that is handled afterwards shows that the file has been read.
            bench.directory.write("ad\u{7}a", to: "card/id")
            #expect(
                try loop.run(seconds: 20) {
                    !bench.said("the id has a control character").isEmpty
                })
            #expect(try driver() == "bob call")
            bench.directory.write("ann", to: "card/id")
            #expect(try drives("ann file"))
            bench.kill()
            bench.directory.write("eve", to: "card/id")
            try bench.startAndWait()
            #expect(try drives("eve file"), "the card was changed meanwhile")
            unlink(bench.directory.file("card/id"))
            #expect(try bench.tool("driver", "set", "bob").status == 0)
            // The same card, put in again.
            #expect(
                try loop.run(seconds: 20) {
                    bench.directory.write("eve", to: "card/id")
                    usleep(300_000)
                    if (try? driver()) == "eve file" { return true }
                    unlink(bench.directory.file("card/id"))
                    usleep(300_000)
                    return false
                })
            bench.directory.write("", to: "card/id")
            #expect(try drives("nobody"))
            #expect(try bench.stop().status == 0)
        }

        @Test("a signal names the driver, by its owner alone; settings are read again")
        func ofSignal() throws {
            configure()
            try bench.startAndWait()
            configure("Signal=sender=\(Self.name) path=/c interface=org.example.Cards1 member=Who")
            bench.daemon?.signal(SIGHUP)
            func connect(_ wantsName: Bool) throws -> BusConnection {
                let connection = try #require(bench.bus).connect(loop)
                guard wantsName else { return connection }
                var outcome: BusNameOutcome?
                try connection.requestName(Self.name) { outcome = try? $0.get() }
                try #require(try loop.run { outcome == .owned })
                return connection
            }
            var reader = try connect(true)
            let stranger = try connect(false)
            let signal = BusSignal(path: "/c", interface: "org.example.Cards1", member: "Who")
            func say(_ value: BusValue, _ who: String) throws -> Bool {
                try loop.run(seconds: 20) {
                    _ = try? stranger.emit(signal, [.string("mallory")])
                    _ = try? reader.emit(signal, [value])
                    return (try? driver()) == who
                }
            }
            #expect(try say(.string("jane"), "jane signal"))
            #expect(try bench.tool("driver", "set", "bob").status == 0)
            #expect(try say(.string("jane"), "bob call"))
            #expect(try say(.string("ann"), "ann signal"))
            #expect(try say(.uint32(7), "ann signal"))
            #expect(try say(.string(String(repeating: "x", count: 129)), "ann signal"))
            // Another owner that says the same says nothing new, and so it is his next word that counts.
            #expect(try bench.tool("driver", "set", "bob").status == 0)
            reader.close()
            reader = try connect(true)
            #expect(try say(.string("ann"), "bob call"))
            #expect(try say(.string("eve"), "eve signal"))
            #expect(try bench.stop().status == 0)
        }

        @Test("a setting that names nothing is refused with its line")
        func badSettings() throws {
            configure("File=card", "Beacons=key", "Signal=sender=x")
            let check = Subprocess([
                builtProgram("geofenced"), "--check", "--config", bench.configuration,
            ])
            let ending = try #require(check.wait())
            #expect(ending.status == 1)
            for words in [
                ":2: File: card: not the absolute path of a file", ":3: Beacons:", ":4: Signal:",
            ] {
                #expect(ending.errors.contains(words), "\(ending.errors)")
            }
        }
    }
}
