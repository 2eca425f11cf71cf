import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("given bad input")
    struct BadInputTests {
        struct Mistake: CustomTestStringConvertible, Sendable {
            var arguments: [String]
            var complaint: String
            var testDescription: String { arguments.joined(separator: " ") }
        }

        @Test(
            "a mistake on the command line is one line and status 2",
            arguments: [
                Mistake(arguments: ["--fly"], complaint: "unknown option: --fly"),
                Mistake(arguments: ["-x"], complaint: "unknown option: -x"),
                Mistake(arguments: ["fly"], complaint: "unexpected argument: fly"),
                Mistake(arguments: ["--check=1"], complaint: "option takes no value: --check"),
                Mistake(arguments: ["--config"], complaint: "option needs a value: --config"),
                Mistake(arguments: ["--bus="], complaint: "option needs a value: --bus"),
                Mistake(
                    arguments: ["--source", "ftp://x"],
                    complaint: "neither gpsd:, nmea: nor replay:: ftp://x"),
                Mistake(
                    arguments: ["--source", "gpsd://h:99999"],
                    complaint: "no port: 99999: gpsd://h:99999"),
            ])
        func commandLine(_ mistake: Mistake) throws {
            let directory = TemporaryDirectory()
            let run = Subprocess(
                [
                    builtProgram("geofenced"), "--state-dir", directory.path, "--config",
                    directory.write("", to: "geofenced.conf"),
                ] + mistake.arguments)
            let ending = try #require(run.wait())
            #expect(ending.errors.hasPrefix("geofenced: \(mistake.complaint)"))
            #expect(ending.errors.count(where: \.isNewline) == 1)
            #expect(ending.output.isEmpty)
            #expect(ending.status == 2)
        }

        struct Line: CustomTestStringConvertible, Sendable {
            var text: String
            var complaint: String
            var testDescription: String { text }
        }

        @Test(
            "a bad line of the configuration is named, its default stands, and the daemon starts",
            arguments: [
                Line(text: "[Crossing]\nSettleSec=soon", complaint: ":2: SettleSec: soon: "),
                Line(text: "[Crossing]\nSettle=10s", complaint: ":2: Settle: unknown key"),
                Line(text: "[Crosing]\nSettleSec=10s", complaint: ":1: unknown section [Crosing]"),
                Line(text: "\nwhat is this", complaint: ":2: "),
                Line(text: "[Source]\nURI=ftp://x", complaint: ":2: URI: ftp://x: "),
                Line(
                    text: "[Source]\nURI=gpsd://h:99999", complaint: ":2: URI: gpsd://h:99999: "),
                Line(
                    text: "[Source]\nURI=replay:x?rate=-1",
                    complaint: ":2: URI: replay:x?rate=-1: "),
            ])
        func configuration(_ line: Line) throws {
            let bench = try DaemonBench(withBus: false)
            bench.directory.write(line.text, to: "geofenced.conf")
            let run = Subprocess([
                builtProgram("geofenced"), "--config", bench.configuration, "--state-dir",
                bench.state, "--bus", "none",
            ])
            #expect(waitUntil { run.errorsSoFar.contains("watching 0 fences") || run.hasEnded })
            let named = run.errorsSoFar.split(separator: "\n").filter {
                $0.hasPrefix("\(bench.configuration)\(line.complaint)")
            }
            #expect(named.count == 1, "\(run.errorsSoFar)")
            run.signal(SIGTERM)
            #expect(run.wait()?.status == 0)
        }

        @Test("a configuration that cannot be read is named, and the daemon starts")
        func unreadable() throws {
            let bench = try DaemonBench(withBus: false)
            try FileManager.default.removeItem(atPath: bench.configuration)
            try bench.startAndWait()
            #expect(bench.said("\(bench.configuration): No such file or directory").count == 1)
            #expect(try bench.stop().status == 0)
        }

        @Test("a broken fence file is named, the others are monitored; its last good fences stay")
        func fenceFile() throws {
            let bench = try DaemonBench()
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\nb,1,2,-1\n", to: "bad.csv")
            bench.writeFences("id,latitude,longitude,radius\nc,1,2,50\n", to: "good.csv")
            try bench.startAndWait()
            let path = bench.directory.file("fences.d/bad.csv")
            #expect(bench.said("\(path):3: fence 2 (\"b\"): radius").count == 1)
            #expect(bench.property("FenceCount") == "1")
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\nb,1,2,60\n", to: "bad.csv")
            #expect(bench.waits(forFences: 3))
            bench.writeFences("id,latitude,longitude,radius\na,1,2,nowhere\n", to: "bad.csv")
            #expect(waitUntil { bench.said("\(path):2: ").count == 1 }, "\(bench.errors)")
            #expect(bench.said("\(path):2: ").first?.contains("fences it had stay") == true)
            #expect(bench.property("FenceCount") == "3")
            // A start reads the broken file, and keeps the fences as they were.
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "3")
        }

        @Test(
            "what is no file under the name of one is named, at the start and while it runs, and is no reason not to start"
        )
        func oddFiles() throws {
            let bench = try DaemonBench()
            func place(_ directory: String, _ ending: String) throws -> [String] {
                func path(_ name: String) -> String {
                    bench.directory.file("\(directory)/\(name).\(ending)")
                }
                #expect(mkfifo(path("fifo"), 0o644) == 0)
                #expect(mkdir(path("directory"), 0o755) == 0)
                #expect(symlink(path("loop"), path("loop")) == 0)
                #expect(symlink("/dev/zero", path("device")) == 0)
                let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(listener) }
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) {
                    $0.copyBytes(from: path("socket").utf8)
                }
                _ = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                return ["fifo", "directory", "loop", "device", "socket"].map(path)
            }
            let settings = try place("geofenced.conf.d", "conf")
            let fences = try place("fences.d", "csv")
            bench.writeFences("", to: "empty.csv")
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "good.csv")
            bench.writeFences("", to: "sparse.csv")
            let sparse = bench.directory.file("fences.d/sparse.csv")
            #expect(truncate(sparse, 1 << 40) == 0)
            try bench.startAndWait()
            for path in settings {
                #expect(bench.said("\(path): ").count == 1, "\(path): \(bench.errors)")
            }
            let named =
                fences + [sparse, bench.directory.file("fences.d/empty.csv")]
            for path in named {
                #expect(bench.said("\(path):").count == 1, "\(path): \(bench.errors)")
            }
            #expect(bench.said("fifo.csv: is a fifo, not a file").count == 1)
            #expect(bench.said("sparse.csv: is larger than 1073741824 bytes").count == 1)
            #expect(bench.property("FenceCount") == "1")
            // Read again: named again, and the loop goes on.
            bench.daemon?.signal(SIGHUP)
            for path in settings {
                #expect(waitUntil { bench.said("\(path): ").count == 2 }, "\(path)")
            }
            for path in named {
                #expect(waitUntil { bench.said("\(path):").count >= 2 }, "\(path)")
            }
            #expect(bench.property("FenceCount") == "1")
            #expect(try bench.stop().status == 0)
        }

        @Test("a fifo as --config is named, and the defaults stand")
        func oddConfiguration() throws {
            let bench = try DaemonBench(withBus: false)
            try FileManager.default.removeItem(atPath: bench.configuration)
            #expect(mkfifo(bench.configuration, 0o600) == 0)
            try bench.startAndWait()
            #expect(bench.said("\(bench.configuration): is a fifo, not a file").count == 1)
            #expect(try bench.stop().status == 0)
        }

        @Test("a directory of fences with too many files, or an unreadable one, loses no fence")
        func directory() throws {
            let bench = try DaemonBench()
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "good.csv")
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "1")
            let fences = bench.directory.file("fences.d")
            // All at once: each by itself would be named, and messages are limited.
            try FileManager.default.copyItem(atPath: fences, toPath: fences + ".many")
            for number in 0..<4096 { bench.directory.write("", to: "fences.d.many/\(number).csv") }
            try FileManager.default.moveItem(atPath: fences, toPath: fences + ".before")
            try FileManager.default.moveItem(atPath: fences + ".many", toPath: fences)
            bench.daemon?.signal(SIGHUP)
            #expect(
                waitUntil { !bench.said("\(fences): more than 4096 files").isEmpty },
                "\(bench.errors)")
            #expect(bench.property("FenceCount") == "1")
            try FileManager.default.moveItem(atPath: fences, toPath: fences + ".away")
            #expect(symlink(fences, fences) == 0)
            bench.daemon?.signal(SIGHUP)
            #expect(
                waitUntil {
                    !bench.said("\(fences): Too many levels of symbolic links").isEmpty
                }, "\(bench.errors)")
            #expect(bench.property("FenceCount") == "1")
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "1")
        }

        @Test(
            "a state directory that cannot be used is one clear line and status 1",
            .needs(.permissions))
        func stateDirectory() throws {
            let bench = try DaemonBench(withBus: false)
            func complaint(_ directory: String) throws -> String {
                bench.start(["--state-dir", directory])
                let ending = try #require(bench.daemon?.wait())
                #expect(ending.status == 1)
                #expect(ending.errors.count(where: \.isNewline) == 1, "\(ending.errors)")
                return ending.errors
            }
            let missing = bench.directory.file("missing")
            #expect(
                try complaint(missing)
                    == "geofenced: cannot start: state directory \(missing): No such file or directory\n"
            )
            #expect(
                try complaint(bench.configuration)
                    == "geofenced: cannot start: state directory \(bench.configuration): Not a directory\n"
            )
            // Root may write everywhere.
            if geteuid() == 0 {
                chmod(bench.directory.path, 0o755)
                bench.wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            } else {
                chmod(bench.state, 0o555)
            }
            #expect(
                try complaint(bench.state)
                    == "geofenced: cannot start: state directory \(bench.state): Permission denied\n"
            )
        }

        @Test("--check reports every problem with file and line, or that there is none")
        func check() throws {
            let bench = try DaemonBench(withBus: false)
            func check() throws -> Subprocess.Ending {
                let run = Subprocess([
                    builtProgram("geofenced"), "--config", bench.configuration, "--check",
                ])
                return try #require(run.wait())
            }
            bench.directory.write("[Window]\nSize=20\n", to: "geofenced.conf")
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "a.csv")
            let good = try check()
            #expect(good.status == 0 && good.errors.isEmpty)
            #expect(good.output == "1 configuration file, 1 fence: good\n")

            bench.directory.write(
                "[Window]\nSize=many\n[Source]\nURI=gpsd://h:0\n", to: "geofenced.conf")
            bench.writeFences(
                "id,latitude,longitude,radius\na,1,2,5\nb,99,2,50\nc,1,2,0\n", to: "b.csv")
            let bad = try check()
            let path = bench.directory.file("fences.d/b.csv")
            for line in [
                "\(bench.configuration):2: Size: many: ",
                "\(bench.configuration):4: URI: gpsd://h:0: ", "warning: \(path):2: a: ",
                "\(path):3: fence 2 (\"b\"): ", "\(path):4: fence 3 (\"c\"): ",
            ] {
                let found = bad.errors.split(separator: "\n").filter {
                    $0.hasPrefix("geofenced: \(line)")
                }
                #expect(found.count == 1, "\(line) in \(bad.errors)")
            }
            #expect(bad.errors.count(where: \.isNewline) == 5)
            #expect(bad.status == 1 && bad.output.isEmpty)
        }
    }
}
