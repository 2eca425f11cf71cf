import Foundation
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
            let found = try bench.firstCause()
            #expect(found.code == box.cause, "\(found.all)")
            #expect(
                box.evidence.isEmpty || found.evidence.contains(box.evidence), "\(found.all)")
        }

        @Test("a disk that is full, and one that is read-only", .needs(.mounts))
        func disks() throws {
            let bench = try DoctorBench()
            let disk = try PrivateDisk(at: bench.bench.state, kibibytes: 16_384)
            bench.bench.wrapper = disk.wrapper
            bench.wrapper = disk.wrapper
            try bench.start()
            #expect(try bench.firstCause().code == "")
            try disk.fill()
            let full = try bench.firstCause()
            #expect(full.code == "disk-full", "\(full.all)")

            let other = try DoctorBench()
            let locked = try PrivateDisk(at: other.bench.state)
            other.bench.wrapper = locked.wrapper
            other.wrapper = locked.wrapper
            try locked.remount("ro")
            try other.start()
            let readOnly = try other.firstCause()
            #expect(readOnly.code == "disk-read-only", "\(readOnly.all)")
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
            let caller = try bench.firstCause()
            #expect(caller.code == "not-authorised", "\(caller.all)")
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
            let receiver = try other.firstCause()
            #expect(receiver.code == "receiver-denied", "\(receiver.all)")
        }

        @Test("for people: verdicts, what was seen, what to do, and where to begin")
        func text() throws {
            let bench = try DoctorBench()
            try bench.start()
            let good = try bench.doctor()
            #expect(good.status == 0, "\(good)")
            #expect(good.output.hasSuffix("\nnothing is wrong\n"), "\(good.output)")
            bench.bench.kill()
            let bad = try bench.doctor()
            #expect(bad.status == 1)
            #expect(bad.output.contains("\nbad       daemon "), "\(bad.output)")
            #expect(
                bad.output.hasSuffix(
                    "begin with daemon: systemctl enable --now geofenced.service\n"),
                "\(bad.output)")
        }
    }
}
