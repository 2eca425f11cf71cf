import Foundation
import Geodesy
import Model
import Testing
import Time

@testable import FixSources

@Suite("gpsd's own output")
struct GoldenTests {
    static let names = try! FileManager.default
        .contentsOfDirectory(atPath: dataFolder.appending(path: "gpsd").path)
        .filter { $0.hasSuffix(".log.gz") }.map { String($0.dropLast(7)) }.sorted()

    /// How far ours may be from gpsd's, degrees. 1e-7, but where sentences of an epoch differ: the
    /// law takes GGA first, gpsd whatever came last before it spoke, and its GGA has more digits.
    private func tolerance(_ name: String) -> Double { name == "ac12" ? 1e-6 : 1.1e-7 }

    @Test("position, speed and fix agree with gpsd on every recorded log", arguments: names)
    func agree(_ name: String) throws {
        let folder = dataFolder.appending(path: "gpsd")
        let ours = try all(folder.appending(path: "\(name).log.gz").path)
        let theirs = try all(folder.appending(path: "\(name).tpv.gz").path)
        let byTime = Dictionary(grouping: theirs.filter { $0.time != nil }, by: \.time)
        var compared = 0
        for report in ours {
            guard let time = report.time, let tpvs = byTime[time.inMilliseconds] else { continue }
            #expect(report.hasFix == tpvs.contains(where: \.hasFix), "\(time)")
            guard report.hasFix, let position = report.coordinate else { continue }
            compared += 1
            let nearest = tpvs.compactMap { tpv in
                tpv.coordinate.map {
                    max(
                        abs($0.latitude - position.latitude),
                        abs($0.longitude - position.longitude))
                }
            }.min()
            #expect((nearest ?? .infinity) < tolerance(name), "\(time)")
            let speeds = tpvs.compactMap(\.speed)
            if let speed = report.speed, !speeds.isEmpty, !Self.oddSpeed.contains(name) {
                #expect(speeds.contains { abs($0 - speed) < 0.006 }, "\(time): \(speed), \(speeds)")
            }
        }
        #expect(compared >= (Self.without[name] ?? 1))
    }

    /// Logs with nothing to compare: all void; a date 1024 weeks back, which gpsd corrects.
    static let without = ["garmin-geko201": 0, "tcp-torture": 0]
    /// Its clock goes back and VTG has a separate epoch there.
    static let oddSpeed: Set = ["humminbird-M37"]

    private func all(_ path: String) throws -> [PositionReport] {
        let reader = try TrackReader(path: path)
        var all: [PositionReport] = []
        while let report = try reader.next() { all.append(report) }
        return all
    }
}

extension UTCTime {
    /// gpsd 3.22 and later cut the time off at the millisecond.
    fileprivate var inMilliseconds: UTCTime {
        UTCTime(nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
    }
}
