import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("as a service")
    struct ServiceTests {
        private let bench: DaemonBench
        private let manager: NotifySocket

        init() throws {
            bench = try DaemonBench()
            manager = try NotifySocket(bench.directory.file("notify"))
            bench.environment["NOTIFY_SOCKET"] = bench.directory.file("notify")
        }

        @Test("it notifies the service manager of start, reload, watchdog and end")
        func notifies() throws {
            bench.environment["WATCHDOG_USEC"] = "200000"
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "a.csv")
            bench.start()
            #expect(waitUntil { manager.has("READY=1") }, "\(bench.errors)")
            #expect(manager.lines.contains("STATUS=watching 1 fence"))
            #expect(waitUntil { manager.count("WATCHDOG=1") >= 3 })
            #expect(!manager.has("RELOADING=1"))
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { manager.count("READY=1") == 2 })
            let lines = manager.lines
            let reloading = try #require(lines.firstIndex(of: "RELOADING=1"))
            #expect(lines[reloading + 1].hasPrefix("MONOTONIC_USEC="))
            #expect(lines[reloading...].contains("READY=1"))
            #expect(!manager.has("STOPPING=1"))
            #expect(try bench.stop().status == 0)
            #expect(waitUntil { manager.has("STOPPING=1") })
        }

        @Test("without a watchdog none is fed; SIGINT is an orderly end too")
        func interrupted() throws {
            try bench.startAndWait()
            bench.daemon?.signal(SIGINT)
            #expect(bench.daemon?.wait(seconds: 10)?.status == 0)
            #expect(waitUntil { manager.has("STOPPING=1") })
            #expect(manager.count("WATCHDOG=1") == 0)
        }

        @Test("a changed setting and changed fence files take effect on SIGHUP")
        func reload() throws {
            let header = "id,latitude,longitude,radius\n"
            bench.writeFences(header + "a,1,2,50\nb,1,2,50\nc,1,2,50\n", to: "one.csv")
            bench.writeFences(header + "d,1,2,50\n", to: "two.csv")
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "4")
            #expect(bench.property("WindowSize") == "20")
            bench.directory.write("[Window]\nSize=3\nWidth=4\n", to: "geofenced.conf")
            bench.writeFences(header + "a,1,2,75\nb,1,2,50\n", to: "one.csv")
            unlink(bench.directory.file("fences.d/two.csv"))
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { !bench.said("reloaded; watching 2 fences").isEmpty })
            #expect(bench.property("FenceCount") == "2")
            #expect(bench.property("WindowSize") == "3")
            #expect(bench.said(":3: Width: unknown key").count == 1)
            #expect(bench.said("two.csv: gone, 1 fence removed").count == 1)
            let area = try bench.json("show", "a").first?["properties"]?["radius"]
            #expect(area?.double == 75)
        }

        @Test(
            "a value that is wrong at a reload stays as it was, and so does all of a file that is gone dark"
        )
        func reloadWrong() throws {
            bench.directory.write(
                "[Window]\nSize=3\n[Vehicle]\nHeightM=3.9\nConfirmWithinSec=0\n",
                to: "geofenced.conf")
            try bench.startAndWait()
            func isHigh(_ height: String) throws -> Bool {
                try bench.tool("vehicle", "show").output.contains("height    \(height) m")
            }
            #expect(try isHigh("3.90"))
            bench.directory.write(
                "[Window]\nSize=many\n[Vehicle]\nHeightM=4.1\nConfirmWithinSec=0\n",
                to: "geofenced.conf")
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { manager.count("READY=1") == 2 })
            #expect(bench.property("WindowSize") == "3")
            #expect(try isHigh("4.10"))
            unlink(bench.configuration)
            mkdir(bench.configuration, 0o755)
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { manager.count("READY=1") == 3 })
            #expect(bench.property("WindowSize") == "3")
            #expect(try isHigh("4.10"))
            #expect(bench.said("the settings stay as they were").count == 1)
            // What has nothing to say says the defaults.
            rmdir(bench.configuration)
            bench.directory.write("", to: "geofenced.conf")
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { manager.count("READY=1") == 4 })
            #expect(bench.property("WindowSize") == "20")
        }

        @Test("how errors are read changes at a reload, without a restart")
        func reloadScale() throws {
            let drive = try LiveDrive()
            try drive.bench.startAndWait()
            func error(at point: Int) throws -> Double {
                try drive.drive(to: point)
                return try #require(
                    try drive.bench.json("status").first?["fix"]?["error_m"]?.double)
            }
            let before = try error(at: 60)
            drive.bench.directory.write(
                "[Fix]\nErrorScale=NMEA0183:3\nMaxErrorM=1km\n", to: "geofenced.conf")
            drive.bench.daemon?.signal(SIGHUP)
            #expect(
                waitUntil(seconds: 30) { drive.bench.said("fixes come from gpsd").count == 2 },
                "\(drive.bench.errors)")
            #expect(try error(at: 120) > 2 * before)
        }

        @Test("fence files that are written, renamed and removed are taken up by themselves")
        func watched() throws {
            try bench.startAndWait()
            let header = "id,latitude,longitude,radius\n"
            bench.writeFences(header + "a,1,2,50\n", to: "a.csv")
            #expect(bench.waits(forFences: 1))
            // As an editor and a package manager do it.
            bench.writeFences(header + "a,1,2,50\nb,1,2,50\nc,1,2,50\n", to: "a.csv~")
            let path = bench.directory.file("fences.d/a.csv")
            rename(path + "~", path)
            #expect(bench.waits(forFences: 3))
            rename(path, bench.directory.file("fences.d/a.disabled"))
            #expect(bench.waits(forFences: 0))
        }

        @Test("a directory of fences that comes only after the start is found at a reload")
        func lateDirectory() throws {
            let fences = bench.directory.file("fences.d")
            rmdir(fences)
            try bench.startAndWait()
            mkdir(fences, 0o755)
            bench.daemon?.signal(SIGHUP)
            #expect(waitUntil { manager.count("READY=1") == 2 })
            bench.writeFences("id,latitude,longitude,radius\na,1,2,50\n", to: "a.csv")
            #expect(bench.waits(forFences: 1))
        }
    }
}

/// The service manager's end of sd_notify(3).
final class NotifySocket {
    private let descriptor: Int32
    private var received: [String] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { space in
            for (index, byte) in path.utf8.enumerated() { space[index] = byte }
        }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound, "errno \(errno)")
    }

    deinit { close(descriptor) }

    /// Everything received so far.
    var lines: [String] {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(
                descriptor, &buffer, buffer.count, Int32(truncatingIfNeeded: MSG_DONTWAIT))
            guard count > 0 else { return received }
            received += String(decoding: buffer.prefix(count), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
    }

    func count(_ line: String) -> Int { lines.count { $0 == line } }
    func has(_ line: String) -> Bool { lines.contains(line) }
}
