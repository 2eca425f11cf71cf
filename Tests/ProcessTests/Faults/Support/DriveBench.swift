import Foundation
import SystemTestKit
import Testing

/// A recorded drive, a daemon that knows the fences on its way, and the gpsd of the test in between.
@MainActor
struct DriveBench {
    let drive: RecordedDrive
    let bench: DaemonBench
    let gpsd: GpsdStandIn

    /// The daemon is not started yet.
    init(_ drive: RecordedDrive) throws {
        self.drive = drive
        bench = try DaemonBench()
        gpsd = try GpsdStandIn()
        bench.source = gpsd.uri
        try FileManager.default.copyItem(
            atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/a.geojson"))
    }

    /// With the part of the drive up to that report.
    init(upTo count: Int = .max) throws {
        try self.init(count == .max ? RecordedDrive() : RecordedDrive(upTo: count))
    }

    /// Waits until the daemon has judged everything before that report.
    func waitForFix(before number: Int) throws {
        let end = drive.time(before: number)
        try #require(bench.waits(forFixAt: end), "\(bench.errors)")
    }
}
