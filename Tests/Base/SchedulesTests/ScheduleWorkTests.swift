import Schedules
import Testing
import Time

/// Texts of about 1,000 bytes, each of which is as much work as its kind can make.
private let longest: [(name: String, text: String)] = [
    ("gaps in spans", list("0:0-0:1", 62) + ";" + list("1:0-1:1", 58) + " off;off"),
    ("whole days", list("0:1-0:0", 62) + ";" + list("0:1-0:0", 62) + " off"),
    ("over midnight", list("9:0-33:0", 62) + ";" + list("9:0-33:0", 48) + " off"),
    ("months", [String](repeating: list("May", 60) + " off", count: 4).joined(separator: ";")),
    ("rules", [String](repeating: "Mo,PH 0:1-0:0", count: 60).joined(separator: ",")),
]

private func list(_ part: String, _ count: Int) -> String {
    [String](repeating: part, count: count).joined(separator: ",")
}

/// How much work a schedule makes, whoever wrote it.
struct ScheduleWorkTests {
    @Test(
        "the longest schedules are looked up at once", .timeLimit(.minutes(1)),
        arguments: 0..<5)
    func long(index: Int) throws {
        let (name, text) = longest[index]
        #expect(text.utf8.count <= Schedule.longest, "\(name)")
        let schedule = try Schedule(text, mostParts: .max)
        for zone in ["Europe/Berlin", "Africa/Casablanca", "UTC"] {
            let hours = OpeningHours(
                schedule, in: try ZoneFiles().zone(named: zone), holidays: try Holidays("12-25"))
            // A second even without optimisation; in n² an hour.
            for day in 0..<100 as Range<Int64> {
                let time = UTCTime(secondsSince1970: 1_795_000_000 + day * 86_400)
                #expect(hours.changes(after: time) > time)
            }
        }
    }

    @Test("one look is for a month or so, and the next continues")
    func portions() throws {
        let hours = OpeningHours(
            try Schedule("24/7; 2027 Nov 20 12:00-13:00 off"),
            in: try ZoneFiles().zone(named: "Europe/Berlin"))
        var time = try #require(UTCTime(iso8601: "2026-11-24T08:00:00Z"))
        while hours.isOpen(at: time) {
            let next = hours.changes(after: time)
            try #require(next > time && next - time <= .seconds(33 * 86_400))
            time = next
        }
        #expect(time == UTCTime(iso8601: "2027-11-20T11:00:00Z"))
    }

    @Test("the first date beyond the limit is refused, at its place; an older text is still read")
    func limit() throws {
        let text = list("May", 64) + ";" + list("Jun", 64)
        _ = try Schedule(text)
        for more in [";Jul", "; Jul 08:00-10:00", ";08:00-10:00"] {
            let flaw = #expect(throws: ScheduleFlaw.self) { try Schedule(text + more) }
            #expect(flaw?.position == (more.contains("; ") ? 514 : 513))
            #expect(flaw?.reason == "more than 128 dates and times")
            #expect(throws: Never.self) { try Schedule(text + more, mostParts: .max) }
        }
    }

    // MARK: Minute by minute

    /// A rule as the law describes it, and as text.
    private struct Rule {
        var weekdays: [Int]
        var times: [(start: Int, end: Int)]
        var isOff: Bool
        var isAdditional: Bool

        init(_ random: inout some RandomNumberGenerator, isFirst: Bool) {
            weekdays = (0..<7).filter { _ in Bool.random(using: &random) }
            times = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                let start = Int.random(in: 0..<1440, using: &random)
                return (start, min(start + Int.random(in: 1...1440, using: &random), 2880))
            }
            isOff = Int.random(in: 0..<3, using: &random) == 0
            isAdditional = !isFirst && !isOff && Bool.random(using: &random)
            if weekdays.isEmpty { weekdays = Array(0..<7) }
        }

        var text: String {
            let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
            let times = times.map { time in
                [time.start, time.end].map { "\($0 / 60):\($0 % 60)" }.joined(separator: "-")
            }
            return weekdays.map { days[$0] }.joined(separator: ",") + " "
                + times.joined(separator: ",") + (isOff ? " off" : " open")
        }

        func covers(_ minute: Int, of weekday: Int) -> Bool {
            weekdays.contains(weekday) && times.contains { ($0.start..<$0.end).contains(minute) }
        }
    }

    /// Rule by rule for one minute alone.
    private func isOpen(_ rules: [Rule], _ weekday: Int, _ minute: Int) -> Bool {
        var own = false
        var fromEve = false
        for rule in rules {
            if rule.covers(minute + 1440, of: (weekday + 6) % 7) {
                fromEve = !rule.isOff
                if rule.isOff { own = false }
            }
            guard rule.weekdays.contains(weekday) else { continue }
            let isCovered = rule.times.isEmpty || rule.covers(minute, of: weekday)
            if !rule.isOff, !rule.isAdditional { own = false }
            if isCovered { own = !rule.isOff }
            if isCovered, rule.isOff, !rule.times.isEmpty { fromEve = false }
        }
        return own || fromEve
    }

    @Test("random schedules are open in the minutes in which their rules say so", arguments: 1...50)
    func minutes(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let rules = (0..<Int.random(in: 1...5, using: &random)).map {
            Rule(&random, isFirst: $0 == 0)
        }
        var text = ""
        for rule in rules {
            text += (text.isEmpty ? "" : rule.isAdditional ? ", " : "; ") + rule.text
        }
        let hours = OpeningHours(try Schedule(text), in: .utc)
        // A Monday.
        let monday = try #require(UTCTime(iso8601: "2026-11-23T00:00:00Z"))
        var expected = (0..<7 * 1440).map { isOpen(rules, $0 / 1440, $0 % 1440) }
        expected += expected
        var change = monday
        for minute in 0..<7 * 1440 {
            let time = monday + .seconds(Double(minute * 60))
            #expect(hours.isOpen(at: time) == expected[minute], "\(text), \(time.iso8601)")
            guard time >= change else { continue }
            change = hours.changes(after: time)
            let next = expected[minute...].firstIndex(of: !expected[minute])
            #expect(
                next.map { monday + .seconds(Double($0 * 60)) } ?? change == change,
                "\(text), \(time.iso8601)")
        }
    }
}

/// SplitMix64: the same numbers in every run.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
