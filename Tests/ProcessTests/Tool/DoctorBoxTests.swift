import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// A box, broken in one way, for which doctor is to name the cause first.
    struct BrokenBox: CustomTestStringConvertible, Sendable {
        let name: String
        /// The code of the first cause; empty if there is to be none.
        let cause: String
        /// A part of the evidence.
        var evidence = ""
        /// Breaks the box, and starts what is to run.
        let make: @MainActor @Sendable (DoctorBench) throws -> Void

        var testDescription: String { name }

        init(
            _ name: String, _ cause: String, _ evidence: String = "",
            make: @escaping @MainActor @Sendable (DoctorBench) throws -> Void
        ) {
            self.name = name
            self.cause = cause
            self.evidence = evidence
            self.make = make
        }
    }

    @MainActor
    @Suite("geofencectl doctor on broken boxes", .serialized)
    struct DoctorBoxTests {
        @Test(
            "the first cause that doctor names is the one that was made",
            arguments: BrokenBox.receivers + BrokenBox.services + BrokenBox.fences
                + BrokenBox.refusals + BrokenBox.surroundings)
        func names(_ box: BrokenBox) throws {
            let bench = try DoctorBench()
            try box.make(bench)
            let found = try bench.diagnosis()
            #expect(found.code == box.cause, "\(found.text)")
            #expect(
                box.evidence.isEmpty || found.evidence.contains(box.evidence), "\(found.text)")
        }

        @Test("the same of a store that is checked", .checksStores)
        func checked() throws { try names(BrokenBox.damagedStore) }

        @Test("a disk that is full, and one that is read-only", .needs(.mounts))
        func disks() throws {
            let bench = try DoctorBench()
            let disk = try PrivateDisk(at: bench.bench.state, kibibytes: 16_384)
            bench.bench.wrapper = disk.wrapper
            bench.wrapper = disk.wrapper
            try bench.start()
            #expect(try bench.diagnosis().code == "")
            try disk.fill()
            let full = try bench.diagnosis()
            #expect(full.code == "disk-full", "\(full.text)")

            let other = try DoctorBench()
            let locked = try PrivateDisk(at: other.bench.state)
            other.bench.wrapper = locked.wrapper
            other.wrapper = locked.wrapper
            try locked.remount("ro")
            try other.start()
            let readOnly = try other.diagnosis()
            #expect(readOnly.code == "disk-read-only", "\(readOnly.text)")
        }

        @Test(
            "a caller without rights, and a receiver that the daemon may not read",
            .needs(.otherUsers))
        func others() throws {
            let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let bench = try DoctorBench()
            for path in [bench.bench.directory.path, bench.bench.bus?.directory.path ?? "/"] {
                chmod(path, 0o755)
            }
            bench.configure("[Fix]\n")
            try bench.start()
            bench.wrapper = nobody
            // Settings that others may not list are no fault of the settings.
            chmod(bench.bench.directory.file("geofenced.conf.d"), 0o700)
            let caller = try bench.diagnosis()
            #expect(caller.code == "not-authorised", "\(caller.text)")
            #expect(caller.evidence.contains("read-events"))

            let other = try DoctorBench()
            for path in [other.bench.directory.path, other.bench.bus?.directory.path ?? "/"] {
                chmod(path, 0o755)
            }
            for name in ["state", "run"] { chown(other.bench.directory.file(name), 65534, 65534) }
            let line = other.bench.directory.file("line")
            try #require(mkfifo(line, 0o600) == 0)
            other.bench.source = "nmea:\(line)"
            other.bench.wrapper = nobody
            other.sends = false
            try other.bench.startAndWait()
            let receiver = try other.diagnosis()
            #expect(receiver.code == "receiver-denied", "\(receiver.text)")
        }

        /// What root can read, and the daemon's user cannot.
        nonisolated static let hidden: [(what: String, path: String, mode: mode_t, cause: String)] =
            [
                ("a file of fences", "fences.d/depot.geojson", 0o600, "fence-file-unreadable"),
                ("the directory of fences", "fences.d", 0o700, "fence-file-unreadable"),
                (
                    "the directory that a link of them leads to", "elsewhere", 0o700,
                    "fence-file-unreadable"
                ),
                ("a file of settings", "geofenced.conf.d/10-box.conf", 0o600, "setting-unreadable"),
                ("the directory of settings", "geofenced.conf.d", 0o700, "setting-unreadable"),
                ("a file of the state", "state/vehicle.json", 0o600, "state-owner"),
                ("a file of the state, for writing", "state/events.sqlite", 0o400, "state-owner"),
            ]
        nonisolated private static let yard = """
            {"type":"Feature","id":"yard","geometry":{"type":"Point","coordinates":[11,48.03]},
            "properties":{"radius":100}}
            """

        @Test(
            "what only root can read is judged as the daemon's user", .needs(.otherUsers),
            arguments: hidden)
        func hidden(_ what: String, _ path: String, _ mode: mode_t, _ cause: String) throws {
            let bench = try DoctorBench()
            let directory = bench.bench.directory
            bench.configure("[Fix]\n")
            for path in [directory.path, bench.bench.bus?.directory.path ?? "/"] {
                chmod(path, 0o755)
            }
            mkdir(directory.file("elsewhere"), 0o755)
            directory.write(Self.yard, to: "elsewhere/yard.geojson")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("fences.d/yard.geojson"),
                withDestinationPath: directory.file("elsewhere/yard.geojson"))
            for name in ["fences.d", "geofenced.conf.d"] { chmod(directory.file(name), 0o755) }
            for name in ["state", "run"] { chown(directory.file(name), 65534, 65534) }
            bench.bench.wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            try bench.start()
            let sound = try bench.diagnosis()
            #expect(sound.code.isEmpty, "\(sound.text)")

            if path.hasSuffix("vehicle.json") { directory.write("{}", to: path) }
            chmod(directory.file(path), mode)
            let found = try bench.diagnosis()
            #expect(found.code == cause, "\(what): \(found.text)")
            // Itself, and not what lies in it.
            #expect(found.evidence.hasPrefix("\(directory.file(path)) "), "\(found.text)")
        }

        @Test("the bus does not let anybody ask the daemon")
        func denied() throws {
            let bench = try DoctorBench()
            try bench.start()
            bench.bench.bus?.setPolicy(
                """
                <allow user="*"/><allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/><allow own="*"/>
                <deny send_destination="org.geofenced.Geofence1"/>
                """)
            #expect(waitUntil { bench.bench.property("Version") == nil })
            let found = try bench.diagnosis()
            #expect(found.code == "bus-denied", "\(found.text)")
        }

        @Test("what is wrong now is told, and not what was before")
        func past() throws {
            let bench = try DoctorBench()
            let began = Date().timeIntervalSince1970 - 20
            bench.sends = false
            // A cold antenna, and then a sky.
            let cold = (0..<60).map {
                DoctorBench.healthy(at: began + 0.25 * Double($0), hasFix: false)
            }
            try bench.start(onLine: cold, judged: 55)
            let silent = try bench.diagnosis()
            #expect(silent.code == "no-reports", "\(silent.text)")
            bench.lineEpoch = { time, _ in DoctorBench.healthy(at: time) }
            try bench.drive { bench.bench.property("PositionState") == "\"known\"" }
            let good = try bench.diagnosis()
            #expect(good.code.isEmpty, "\(good.text)")
            #expect(good.text.contains("refused just now; "), "\(good.text)")
            #expect(good.text.contains("no-fix)"), "\(good.text)")
            // Its position stands still, and its speed does not.
            bench.lineEpoch = { time, _ in DoctorBench.healthy(at: time, speed: 20) }
            try bench.drive {
                try bench.bench.json("status").first?["refused"]?["frozen"]?.integer ?? 0 > 0
            }
            let frozen = try bench.diagnosis()
            #expect(frozen.code == "refused-frozen", "\(frozen.text)")
        }

        @Test("for people: verdicts, what was seen, what to do, and where to begin")
        func text() throws {
            let bench = try DoctorBench()
            try bench.start()
            let good = try bench.doctor()
            #expect(good.status == 0, "\(good)")
            let lines = good.output.split(separator: "\n")
            #expect(lines.dropLast().last == "nothing is wrong", "\(good.output)")
            // Of what it says nothing about, it says so.
            let end = try #require(lines.last)
            #expect(end.hasPrefix("not looked at: sandbox; "), "\(good.output)")
            #expect(end.contains("; units; "), "\(good.output)")
            #expect(end.contains("; other machines; "), "\(good.output)")
            bench.bench.kill()
            let bad = try bench.doctor()
            #expect(bad.status == 1)
            #expect(bad.output.contains("\nbad       daemon "), "\(bad.output)")
            let rest = bad.output.split(separator: "\n")
            #expect(
                rest.dropLast().last
                    == "begin with daemon: systemctl enable --now geofenced.service",
                "\(bad.output)")
            #expect(rest.last?.hasPrefix("not looked at: sandbox; rights; fixes; ") == true)
        }
    }
}
