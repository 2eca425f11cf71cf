import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// Each while the drive continues, compared with the events of the drive without the fault.
    @MainActor
    @Suite("when the disk fails", .needs(.mounts))
    struct DiskTests {
        private let drive: LiveDrive
        private let disk: PrivateDisk
        private var bench: DaemonBench { drive.bench }

        private nonisolated static let failures: [(String, isKilled: Bool)] =
            [
                "fdatasync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=EROFS",
                "fdatasync:error=EIO:when=2+2", "pwrite64:error=EIO:when=1+3",
                "pwrite64:error=ENOSPC:when=5+",
            ].flatMap { [($0, false), ($0, true)] }.filter {
                FaultScope.isWhole || $0 == ("fdatasync:error=EIO", true)
                    || $0 == ("pwrite64:error=EROFS", false)
            }

        init() throws {
            drive = try LiveDrive()
            disk = try PrivateDisk(at: drive.bench.state)
            drive.bench.wrapper = disk.wrapper
        }

        private var isDegraded: Bool {
            bench.property("Degraded")?.contains("store-unwritable") ?? false
        }

        private var committed: Int { bench.property("LastSeq").flatMap { Int($0) } ?? -1 }

        /// In the end all events are as without the fault; the fault is reported.
        private func expectRecovered() throws {
            let expected = try drive.expected().count
            try #require(
                waitUntil(seconds: 90) { committed >= expected }, "\(bench.errors)")
            try drive.expectWhole(try bench.events())
            #expect(waitUntil(seconds: 60) { !isDegraded })
            #expect(try bench.stop().status == 0)
        }

        /// What SQLite says of such disks (a readonly database) leads nobody to them.
        private func expectCause(_ cause: String) {
            let said = bench.said("SQLite error")
            #expect(!said.isEmpty && said.allSatisfy { $0.contains(cause) }, "\(bench.errors)")
        }

        @Test("full, then the daemon killed, then space again: no event is lost or announced twice")
        func full() throws {
            try bench.startAndWait()
            try drive.drive(to: 60)
            try disk.fill()
            try drive.drive(to: 180)
            #expect(isDegraded)
            #expect(bench.said("degraded (store-unwritable)").count == 1, "\(bench.errors)")
            expectCause("the disk is full: no room at \(bench.state)")
            let before = committed
            #expect(try drive.expected().count >= before + 5)
            bench.kill()
            // The disk is as full as it was.
            try bench.startAndWait()
            #expect(committed == before)
            try drive.drive(to: 250)
            #expect(isDegraded)
            #expect(committed == before)
            // And an orderly stop: the log of the database is checkpointed, which leaves some room.
            _ = try bench.stop()
            try bench.startAndWait()
            try drive.drive(to: 300)
            disk.free()
            try drive.drive()
            try expectRecovered()
        }

        @Test(
            "full before the first start: fences of files are watched, and told when there is room")
        func fullAtFirst() throws {
            try disk.fill()
            try bench.startAndWait()
            #expect(isDegraded)
            #expect(waitUntil { bench.property("FenceCount") != "0" })
            try drive.drive(to: 180)
            #expect(committed == 0)
            let refused = try bench.tool("add", "new", "--circle", "48,11,100")
            #expect(refused.status == 1, "a fence that would not be kept is refused")
            #expect(refused.errors.contains("the disk is full"), "\(refused.errors)")
            expectCause("the disk is full: no room at \(bench.state)")
            bench.kill()
            try bench.startAndWait()
            try drive.drive(to: 260)
            disk.free()
            try drive.drive()
            try expectRecovered()
        }

        @Test("read-only when the daemon starts again: it reads the store, and continues")
        func readOnly() throws {
            try bench.startAndWait()
            try drive.drive(to: 60)
            _ = try bench.stop()
            try disk.remount("ro")
            try bench.startAndWait()
            #expect(isDegraded)
            expectCause("the file system at \(bench.state) is read-only")
            try drive.drive(to: 180)
            bench.kill()
            try bench.startAndWait()
            try drive.drive(to: 260)
            #expect(isDegraded)
            try disk.remount("rw")
            try drive.drive()
            try expectRecovered()
        }

        @Test(
            "read-only from the first: fences from files are monitored",
            .enabled(if: FaultScope.isWhole, "for make test-faults"))
        func readOnlyAtFirst() throws {
            try disk.remount("ro")
            try bench.startAndWait()
            #expect(isDegraded)
            try drive.drive(to: 180)
            try disk.remount("rw")
            try drive.drive()
            try expectRecovered()
        }

        @Test(
            "calls that fail for a time, and the daemon killed while they do", .needs(.tracing),
            arguments: Self.failures)
        func failing(_ injection: String, isKilled: Bool) throws {
            try bench.startAndWait()
            try drive.drive(to: 60)
            // The files of the store: the runtime directory is not on disk.
            let files = ["catalogue.sqlite", "events.sqlite"].flatMap { name in
                ["", "-wal"].map { "\(bench.state)/\(name)\($0)" }
            }
            let tracer = try Tracer(try #require(bench.daemon), injection, paths: files)
            try drive.drive(to: 220)
            if isKilled {
                bench.kill()
                try bench.startAndWait()
            } else {
                try tracer.end()
            }
            try drive.drive()
            try expectRecovered()
        }

        @Test("every fsync takes a second: fixes are judged, nothing is lost", .needs(.tracing))
        func slow() throws {
            try bench.startAndWait()
            try drive.drive(to: 30)
            let tracer = try Tracer(
                try #require(bench.daemon), "fdatasync:delay_enter=1000000")
            try drive.speak(to: 250)
            try tracer.end()
            try drive.drive()
            try expectRecovered()
            #expect(bench.said("store-unwritable").isEmpty)
        }
    }
}
