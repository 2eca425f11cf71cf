import Schedules
import Testing
import Time

struct ScheduleTests {
    @Test(
        "a schedule is open at the times that it names, and closed at the others",
        arguments: [
            // 2026-11-23 is a Monday.
            ("24/7", "2026-11-23T03:00:00Z", true),
            ("Mo-Fr 08:00-18:00", "2026-11-23T07:59:59Z", false),
            ("Mo-Fr 08:00-18:00", "2026-11-23T08:00:00Z", true),
            ("Mo-Fr 08:00-18:00", "2026-11-23T18:00:00Z", false),
            ("Mo-Fr 08:00-18:00", "2026-11-28T12:00:00Z", false),
            ("Fr-Mo 08:00-18:00", "2026-11-28T12:00:00Z", true),
            ("Mo,We,Fr", "2026-11-25T23:59:59Z", true),
            ("08:00-12:00,13:00-17:00", "2026-11-23T12:30:00Z", false),
            ("08:00-12:00,13:00-17:00", "2026-11-23T13:30:00Z", true),
            ("Fr 22:00-06:00", "2026-11-28T05:59:59Z", true),
            ("Fr 22:00-06:00", "2026-11-28T06:00:00Z", false),
            ("Fr 22:00-30:00", "2026-11-28T05:00:00Z", true),
            ("Fr 22:00-06:00; Sa off", "2026-11-28T05:00:00Z", true),
            ("Fr 22:00-06:00; Sa off", "2026-11-28T22:30:00Z", false),
            ("24/7; 22:00-06:00 off", "2026-11-24T05:00:00Z", false),
            ("24/7; 22:00-06:00 off", "2026-11-24T06:00:00Z", true),
            ("Mo-Fr 08:00-18:00; We 10:00-12:00", "2026-11-25T09:00:00Z", false),
            ("Mo-Fr 08:00-18:00, We 20:00-22:00", "2026-11-25T09:00:00Z", true),
            ("Mo-Fr 08:00-18:00, We 20:00-22:00", "2026-11-25T21:00:00Z", true),
            ("Mo-Fr 08:00-18:00; 12:00-13:00 off", "2026-11-25T12:30:00Z", false),
            ("Nov-Feb 08:00-18:00", "2026-01-15T12:00:00Z", true),
            ("Nov-Feb 08:00-18:00", "2026-06-15T12:00:00Z", false),
            ("Dec 24-Jan 6 off", "2026-12-30T12:00:00Z", false),
            ("24/7; Dec 24-Jan 6 off", "2027-01-07T00:00:00Z", true),
            ("24/7; Dec 25,26 off", "2026-12-26T12:00:00Z", false),
            ("Dec 24-26", "2026-12-25T12:00:00Z", true),
            ("2026 Dec 24-2027 Jan 6", "2027-01-06T12:00:00Z", true),
            ("2026 Dec 24-2027 Jan 6", "2027-12-25T12:00:00Z", false),
            ("2026-2027 Mo 08:00-09:00", "2026-11-23T08:30:00Z", true),
            ("2028", "2026-11-23T08:30:00Z", false),
            ("Feb 29", "2028-02-29T12:00:00Z", true),
            ("PH 10:00-12:00", "2026-12-25T11:00:00Z", true),
            ("Mo-Fr 08:00-18:00; PH off", "2026-12-25T11:00:00Z", false),
            ("Mo-Fr,08:00-18:00", "2026-11-23T07:00:00Z", false),
            ("Mo-Fr,08:00-18:00", "2026-11-23T08:00:00Z", true),
            ("Mo-Fr,08:00-18:00", "2026-11-28T12:00:00Z", false),
            ("Mo-Fr, 08:00-12:00,13:00-18:00", "2026-11-23T12:30:00Z", false),
            ("Mo-Fr ,08:00-18:00; We off", "2026-11-25T12:00:00Z", false),
            ("Mo,We,08:00-10:00", "2026-11-24T09:00:00Z", false),
            ("Mo,We,08:00-10:00", "2026-11-25T09:00:00Z", true),
            ("Jun-Aug,08:00-18:00", "2026-11-23T12:00:00Z", false),
            ("Jun-Aug,08:00-18:00", "2026-07-23T19:00:00Z", false),
            ("Jun-Aug Mo-Fr,08:00-18:00", "2026-07-23T12:00:00Z", true),
            ("Dec 24,08:00-10:00", "2026-12-24T12:00:00Z", false),
            ("2026,08:00-10:00", "2027-01-04T09:00:00Z", false),
            ("PH,10:00-12:00", "2026-12-25T11:00:00Z", true),
            ("PH,10:00-12:00", "2026-11-23T11:00:00Z", false),
            ("Sa,PH,10:00-12:00", "2026-11-23T11:00:00Z", false),
            ("24/7; PH,10:00-12:00 off", "2026-12-25T11:00:00Z", false),
            ("24/7; PH,10:00-12:00 off", "2026-12-25T12:00:00Z", true),
            ("Mo-Fr 08:00-12:00, Sa,09:00-11:00", "2026-11-29T10:00:00Z", false),
            ("08:00-18:00,Mo-Fr", "2026-11-23T07:00:00Z", false),
            ("08:00-18:00,Mo-Fr", "2026-11-23T08:00:00Z", true),
            ("08:00-18:00, Mo-Fr,PH", "2026-11-28T12:00:00Z", false),
            ("08:00-12:00,13:00-18:00,Jun-Aug Mo", "2026-11-23T09:00:00Z", false),
            ("Su 08:00-10:00, 12:00-13:00, Mo", "2026-11-23T09:00:00Z", true),
            ("08:00-18:00,Mo open", "2026-11-23T07:00:00Z", true),
            ("08:00-18:00,PH", "2026-11-23T09:00:00Z", true),
            ("10:00-12:00,Mo,14:00-16:00", "2026-11-24T11:00:00Z", true),
            ("Sa,PH 10:00-12:00", "2026-04-03T11:00:00Z", true),
            ("Sa,PH 10:00-12:00", "2027-04-03T11:00:00Z", true),
            ("Sa,PH 10:00-12:00", "2025-04-03T11:00:00Z", false),
        ] as [(String, String, Bool)])
    func open(text: String, time: String, isOpen: Bool) throws {
        let hours = OpeningHours(
            try Schedule(text), in: .utc, holidays: try Holidays("2026-04-03 12-25 12-26"))
        #expect(hours.isOpen(at: try #require(UTCTime(iso8601: time))) == isOpen)
    }

    @Test(
        "text outside the grammar is refused, with the character and the reason",
        arguments: [
            ("", 1, "something is missing"),
            ("Mo-Fr 08:00-18:00;", 19, "something is missing"),
            ("Mo 08:00", 9, "a time without an end"),
            ("Mo 08:00+", 9, "an open end is not covered"),
            ("SH off", 1, "school holidays are not known here"),
            ("week 1-10 Mo", 1, "weeks of the year are not covered"),
            ("Mo[1] 08:00-10:00", 3, "the nth weekday of a month is not covered"),
            ("sunrise-sunset", 1, "the sun is not covered"),
            ("Mo 08:00-10:00 \"by appointment\"", 16, "comments are not covered"),
            ("Mo 08:00-10:00 || off", 16, "fallback rules are not covered"),
            ("Mo 25:00-26:00", 4, "no such time"),
            ("Mo 08:60-10:00", 4, "no such time"),
            ("Mo 08:00-08:00", 15, "begins and ends at the same time"),
            ("Mo–Fr", 3, "\"–\" is not expected"),
            ("Feb 30", 5, "no such day"),
            ("2026 Dec 24-2026 Dec 23", 24, "ends before it begins"),
            ("Mo 08:00-10:00, Tu 12:00-13:00 off", 15, "off needs ; before its rule"),
        ] as [(String, Int, String)])
    func refused(text: String, position: Int, reason: String) {
        do throws(ScheduleFlaw) {
            _ = try Schedule(text)
            Issue.record("taken: \(text)")
        } catch {
            #expect(error.position == position)
            #expect(error.reason == reason)
        }
    }

    @Test("a schedule knows its next change, and whether it was closed in between")
    func changes() throws {
        let hours = OpeningHours(try Schedule("Mo-Fr 08:00-18:00"), in: .utc)
        func time(_ text: String) throws -> UTCTime {
            try #require(UTCTime(iso8601: text))
        }
        #expect(
            hours.changes(after: try time("2026-11-27T18:00:00Z"))
                == (try time("2026-11-30T08:00:00Z")))
        #expect(
            hours.firstClosed(
                from: try time("2026-11-23T17:59:59.5Z"), through: try time("2026-11-23T18:00:00Z"))
                == (try time("2026-11-23T18:00:00Z")))
        #expect(
            hours.firstClosed(
                from: try time("2026-11-23T08:00:00Z"), through: try time("2026-11-23T17:59:59Z"))
                == nil)
        #expect(
            hours.firstClosed(
                from: try time("2026-11-22T08:00:00Z"), through: try time("2026-11-23T17:59:59Z"))
                == (try time("2026-11-22T08:00:00Z")))
    }

    @Test("at the end of representable time the search ends too", .timeLimit(.minutes(1)))
    func last() throws {
        let hours = OpeningHours(try Schedule("24/7"), in: .utc)
        let last = UTCTime(nanoseconds: .max)
        #expect(hours.firstClosed(from: last, through: last) == nil)
        #expect(hours.firstClosed(from: last + .seconds(-86_400), through: last) == nil)
    }

    @Test(
        "an invalid list of holidays is refused", arguments: ["13-01", "1-", "x", "26-01-01"])
    func holidays(text: String) {
        #expect(throws: HolidayFlaw.self) { try Holidays(text) }
    }
}
