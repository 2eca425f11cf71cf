import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("when fences.d itself changes")
    struct FenceDirectoryTests {
        /// One that runs, with a fence in each of two files.
        private func bench() throws -> DaemonBench {
            let bench = try DaemonBench()
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "a.csv")
            bench.writeFences("id,latitude,longitude,radius\nb,1,2,60\n", to: "b.csv")
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "2")
            return bench
        }

        private func keeps(_ bench: DaemonBench, _ count: Int = 2) -> Bool {
            waitUntil { bench.property("Degraded")?.contains("fence-files") == true }
                && bench.property("FenceCount") == "\(count)"
        }

        private func isWhole(_ bench: DaemonBench, _ count: Int) -> Bool {
            bench.waits(forFences: count)
                && waitUntil { bench.property("Degraded")?.contains("fence-files") == false }
        }

        /// What takes its place.
        enum Substitute: CaseIterable {
            case nothing, emptyDirectory, fewer, file
        }

        @Test(
            "moved away it keeps its fences; moved back it is noticed",
            arguments: Substitute.allCases)
        func moved(substitute: Substitute) throws {
            let bench = try bench()
            let (path, away) = (bench.directory.file("fences.d"), bench.directory.file("away"))
            #expect(rename(path, away) == 0)
            switch substitute {
            case .nothing: break
            case .emptyDirectory: mkdir(path, 0o755)
            case .fewer:
                mkdir(path, 0o755)
                try FileManager.default.copyItem(atPath: away + "/a.csv", toPath: path + "/a.csv")
            case .file: bench.directory.write("", to: "fences.d")
            }
            #expect(keeps(bench), "\(bench.errors)")
            try FileManager.default.removeItem(atPath: path, ifThere: true)
            #expect(rename(away, path) == 0)
            #expect(isWhole(bench, 2), "\(bench.errors)")
            // It is watched again, and a file that is removed goes as ever.
            bench.writeFences("id,latitude,longitude,radius\nc,1,2,50\n", to: "c.csv")
            #expect(isWhole(bench, 3))
            unlink(path + "/b.csv")
            #expect(isWhole(bench, 2))
            #expect(try bench.stop().status == 0)
        }

        @Test("replaced by a copy, as rsync and ansible do, it is read and watched")
        func replaced() throws {
            let bench = try bench()
            let path = bench.directory.file("fences.d"), copy = bench.directory.file("copy")
            for radius in [70, 80] {
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                bench.directory.write(
                    "id,latitude,longitude,radius\nn\(radius),1,2,\(radius)\n",
                    to: "copy/n\(radius).csv")
                try FileManager.default.removeItem(atPath: path)
                #expect(rename(copy, path) == 0)
                #expect(isWhole(bench, radius == 70 ? 3 : 4), "\(bench.errors)")
            }
            #expect(try bench.stop().status == 0)
        }

        @Test("a link that is set to another directory is followed")
        func linked() throws {
            let bench = try bench()
            let path = bench.directory.file("fences.d")
            #expect(rename(path, bench.directory.file("one")) == 0)
            #expect(symlink("one", path) == 0)
            #expect(isWhole(bench, 2), "\(bench.errors)")
            try FileManager.default.copyItem(
                atPath: bench.directory.file("one"), toPath: bench.directory.file("two"))
            bench.directory.write("id,latitude,longitude,radius\nc,1,2,50\n", to: "two/c.csv")
            #expect(symlink("two", path + ".new") == 0 && rename(path + ".new", path) == 0)
            #expect(isWhole(bench, 3), "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        @Test("empty or not there at the start, it keeps its fences", arguments: [true, false])
        func atStart(isThere: Bool) throws {
            let bench = try bench()
            #expect(try bench.stop().status == 0)
            let (path, away) = (bench.directory.file("fences.d"), bench.directory.file("away"))
            #expect(rename(path, away) == 0)
            if isThere { mkdir(path, 0o755) }
            try bench.startAndWait()
            #expect(keeps(bench), "\(bench.errors)")
            if isThere { rmdir(path) }
            #expect(rename(away, path) == 0)
            #expect(isWhole(bench, 2), "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        /// What becomes of a file.
        enum Flaw: CaseIterable {
            case entry, text, unreadable, new, header, collection
        }

        @Test(
            "a file that is refused or cannot be read is a state, until it is read or gone",
            arguments: Flaw.allCases, [true, false])
        func refused(flaw: Flaw, isMended: Bool) throws {
            let bench = try bench()
            let path = bench.directory.file("fences.d/b.csv")
            func isTold() -> Bool {
                bench.property("Degraded")?.contains("fence-file-refused") == true
            }
            switch flaw {
            case .entry: bench.writeFences("id,latitude,longitude,radius\nb,1,2,-60\n", to: "b.csv")
            case .text: bench.writeFences("id,latitude\nb", to: "b.csv")
            case .unreadable:
                unlink(path)
                #expect(symlink("b.csv", path) == 0)
            case .new: bench.writeFences("no fences", to: "c.geojson")
            case .header: bench.writeFences("id,latitude,longitude,radius\r", to: "b.csv")
            case .collection: bench.writeFences(#"{"features":[]}"#, to: "b.csv")
            }
            #expect(waitUntil { isTold() }, "\(bench.errors)")
            #expect(bench.property("FenceCount") == "2")
            // It is so after a start, too.
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(isTold() && bench.property("FenceCount") == "2")
            unlink(flaw == .new ? bench.directory.file("fences.d/c.geojson") : path)
            if isMended {
                let name = flaw == .new ? "c.csv" : "b.csv"
                bench.writeFences("id,latitude,longitude,radius\nc,1,2,60\n", to: name)
            }
            #expect(waitUntil { !isTold() }, "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        @Test("--check refuses a file without a fence, and says what is doubtful in others")
        func check() throws {
            let bench = try DaemonBench()
            bench.directory.write("", to: "geofenced.conf")
            func check() throws -> Subprocess.Ending {
                let check = Subprocess([
                    builtProgram("geofenced"), "--check", "--config", bench.configuration,
                ])
                return try #require(check.wait())
            }
            bench.writeFences("id,latitude,longitude,radius,maxspeed\ra,1,2,50,30\r", to: "a.csv")
            let good = try check()
            #expect(good.status == 0 && good.output.hasSuffix("1 fence: good\n"), "\(good)")
            #expect(good.errors.contains("is speed_limit_kmh meant?"), "\(good)")
            bench.writeFences("id,latitude,longitude,radius\n", to: "b.csv")
            let bad = try check()
            #expect(bad.status == 1)
            #expect(bad.errors.contains("b.csv: no fence in it: only a header"), "\(bad)")
        }

        @Test("a file that was removed while nobody looked is gone at the start")
        func removed() throws {
            let bench = try bench()
            #expect(try bench.stop().status == 0)
            unlink(bench.directory.file("fences.d/b.csv"))
            try bench.startAndWait()
            #expect(isWhole(bench, 1))
            #expect(try bench.stop().status == 0)
        }
    }
}

extension FileManager {
    fileprivate func removeItem(atPath path: String, ifThere: Bool) throws {
        if !ifThere || fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
