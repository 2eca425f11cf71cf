import Foundation
import Schedules
import SystemTestKit
import Testing
import Time

/// Schedules around the changes of clocks in both hemispheres, against another library and Python's
/// time zones.
struct PeerTests {
    /// A zone and a day on which its clocks change, or one on which they do not.
    private static let nights = [
        ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"),
        ("Europe/London", "2027-03-28"), ("America/New_York", "2026-03-08"),
        ("America/New_York", "2026-11-01"), ("America/Santiago", "2026-04-05"),
        ("America/Santiago", "2026-09-06"), ("Australia/Sydney", "2026-04-05"),
        ("Australia/Sydney", "2026-10-04"), ("Australia/Lord_Howe", "2026-04-05"),
        ("Australia/Lord_Howe", "2026-10-04"), ("Pacific/Auckland", "2026-09-27"),
        ("Africa/Casablanca", "2026-03-22"), ("Asia/Kolkata", "2026-03-29"),
        ("America/St_Johns", "2026-11-01"), ("Asia/Tehran", "2026-03-22"),
        ("Europe/Berlin", "2026-12-31"), ("Europe/Berlin", "2028-02-29"),
    ]

    private static let schedules = [
        "24/7", "Mo-Fr 08:00-18:00", "02:00-03:00", "01:30-02:30", "Sa 22:00-06:00",
        "Fr-Mo 20:00-02:30", "00:00-24:00", "Mo-Su 23:00-25:30", "Su 00:00-03:00,12:00-24:00",
        "Mo-Sa 06:00-22:00; Su 10:00-18:00", "Mo-Fr 08:00-18:00; We 10:00-12:00",
        "Mo-Fr 08:00-12:00, Sa 10:00-12:00", "08:00-18:00; 12:00-13:00 off", "Su off",
        "Mar-Oct 06:00-22:00", "Nov-Feb 08:00-16:00", "Dec 24-Jan 6 10:00-12:00",
        "Feb 29 08:00-18:00", "2026 Mar 29 01:00-05:00", "Mo-Su; Dec 25 off",
    ]

    @Test("hours agree with those of another library, every ten minutes", .needs(.openingHours))
    func peer() throws {
        var input = ""
        var cases: [(text: String, zone: String, first: Int64)] = []
        for (zone, day) in Self.nights {
            let noon = try #require(UTCTime(iso8601: day + "T12:00:00Z"))
            let first = noon.nanoseconds / 1_000_000_000 - 40 * 3_600
            for text in Self.schedules {
                cases.append((text, zone, first))
                input += "\(text)\t\(zone)\t\(first)\t600\t480\n"
            }
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "peer.py").path
        let run = Subprocess([Need.openingHours.python, "-B", script], input: input)
        let ending = try #require(run.wait(seconds: 120))
        #expect(ending.status == 0, "\(ending.errors)")
        let answers = ending.output.split(separator: "\n")
        try #require(answers.count == cases.count)
        let files = ZoneFiles()
        for (answer, wanted) in zip(answers, cases) {
            let hours = OpeningHours(
                try Schedule(wanted.text), in: try files.zone(named: wanted.zone))
            let states = (0..<480).map { index in
                let seconds = wanted.first + Int64(index) * 600
                return hours.isOpen(at: UTCTime(secondsSince1970: seconds)) ? "1" : "0"
            }
            #expect(states.joined() == String(answer), "\(wanted)")
        }
    }

    @Test("a change is reported where the state changes, and not before", arguments: nights)
    func changes(zone: String, day: String) throws {
        let zone = try ZoneFiles().zone(named: zone)
        let noon = try #require(UTCTime(iso8601: day + "T12:00:00Z"))
        for text in Self.schedules {
            let hours = OpeningHours(try Schedule(text), in: zone)
            var time = noon + .seconds(-40 * 3_600)
            let end = noon + .seconds(40 * 3_600)
            while time < end {
                let next = hours.changes(after: time)
                try #require(next > time)
                let isOpen = hours.isOpen(at: time)
                var between = time
                while between < min(next, end) {
                    #expect(hours.isOpen(at: between) == isOpen, "\(text), \(between.iso8601)")
                    between = between + .seconds(300)
                }
                time = next
            }
        }
    }
}
