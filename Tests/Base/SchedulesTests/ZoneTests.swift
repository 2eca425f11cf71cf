import Schedules
import Testing
import Time

/// The system's own zone files, at changes whose dates are a matter of record.
struct ZoneTests {
    @Test(
        "clocks show what the zone says, before and after each change",
        arguments: [
            ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200),
            ("Europe/Berlin", "2026-10-25T00:59:59Z", 7_200),
            ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600),
            // After the changes that the files list one by one.
            ("Europe/Berlin", "2090-07-01T12:00:00Z", 7_200),
            ("America/New_York", "2026-03-08T07:00:00Z", -14_400),
            ("America/New_York", "2026-11-01T05:59:59Z", -14_400),
            ("America/New_York", "2026-11-01T06:00:00Z", -18_000),
            // South of the equator.
            ("Australia/Sydney", "2026-04-04T15:59:59Z", 39_600),
            ("Australia/Sydney", "2026-04-04T16:00:00Z", 36_000),
            ("Australia/Sydney", "2026-10-03T16:00:00Z", 39_600),
            // By half an hour.
            ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37_800),
            ("Australia/Lord_Howe", "2026-04-04T14:59:59Z", 39_600),
            ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700),
            ("Asia/Kolkata", "2100-01-01T00:00:00Z", 19_800),
            // A day that was skipped.
            ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
        ] as [(String, String, Int)])
    func offsets(name: String, time: String, offset: Int) throws {
        let zone = try ZoneFiles().zone(named: name)
        let time = try #require(UTCTime(iso8601: time))
        #expect(zone.offset(at: time.nanoseconds / 1_000_000_000) == offset)
    }

    @Test(
        "hours on the night of a change: repeated times count twice, skipped ones never",
        arguments: [
            ("Europe/Berlin", "02:00-03:00", "2026-03-29T00:30:00Z", false),
            ("Europe/Berlin", "02:00-03:00", "2026-03-29T01:00:00Z", false),
            ("Europe/Berlin", "02:00-03:00", "2026-10-25T00:30:00Z", true),
            ("Europe/Berlin", "02:00-03:00", "2026-10-25T01:30:00Z", true),
            ("Europe/Berlin", "02:00-03:00", "2026-10-25T02:00:00Z", false),
            ("Europe/Berlin", "Sa 22:00-06:00", "2026-03-29T03:59:59Z", true),
            ("Europe/Berlin", "Sa 22:00-06:00", "2026-03-29T04:00:00Z", false),
            ("Europe/Berlin", "Sa 22:00-06:00", "2026-10-25T04:59:59Z", true),
            ("Europe/Berlin", "Sa 22:00-06:00", "2026-10-25T05:00:00Z", false),
            ("Australia/Sydney", "02:00-03:00", "2026-10-03T16:00:00Z", false),
            ("Australia/Sydney", "02:00-03:00", "2026-04-04T15:30:00Z", true),
            ("Australia/Sydney", "02:00-03:00", "2026-04-04T16:30:00Z", true),
        ] as [(String, String, String, Bool)])
    func nights(name: String, text: String, time: String, isOpen: Bool) throws {
        let hours = OpeningHours(try Schedule(text), in: try ZoneFiles().zone(named: name))
        #expect(hours.isOpen(at: try #require(UTCTime(iso8601: time))) == isOpen)
    }

    @Test("the end of a night in which the clocks change is found to the second")
    func ends() throws {
        let hours = OpeningHours(
            try Schedule("Sa 22:00-06:00"), in: try ZoneFiles().zone(named: "Europe/Berlin"))
        let begins = try #require(UTCTime(iso8601: "2026-03-28T21:00:00Z"))
        #expect(hours.isOpen(at: begins))
        #expect(hours.changes(after: begins) == UTCTime(iso8601: "2026-03-29T04:00:00Z"))
    }

    @Test(
        "a name that leaves the directory, or does not exist, is not a zone",
        arguments: [
            "", "../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/Nowhere", ".",
        ])
    func names(name: String) {
        #expect(throws: ZoneFlaw(name: name)) { try ZoneFiles().zone(named: name) }
    }
}
