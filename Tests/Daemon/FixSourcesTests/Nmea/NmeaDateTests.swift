import Model
import Testing
import Time

@testable import FixSources

@Suite("NMEA dates")
struct NmeaDateTests {
    private func times(
        _ text: String, _ dates: ReceiverSettings.Dates = .recorded(givesDate: true),
        now: UTCTime? = nil
    ) -> [UTCTime?] {
        reports(text, dates: dates, now: now).map(\.time)
    }

    @Test("GGA of the new day before RMC of the new date does not go back a day")
    func midnight() {
        let text =
            gga("235959") + rmc("235959", date: "311223") + gga("000000")
            + rmc("000000", date: "010124") + gga("000001") + rmc("000001", date: "010124")
        #expect(
            times(text) == [
                utc("2023-12-31T23:59:59Z"), utc("2024-01-01T00:00:00Z"),
                utc("2024-01-01T00:00:01Z"),
            ])
    }

    @Test("an epoch without a date continues from the last one, over midnight too")
    func carried() {
        let text = rmc("235958", date: "280224") + gga("235959") + gga("000000") + gga("000001")
        #expect(times(text).last == utc("2024-02-29T00:00:01Z"))
    }

    @Test("an epoch without a date belongs to the nearest day, before a midnight too")
    func nearest() {
        let late = (0..<4).flatMap { second in
            [rmc("00000\(second)", date: "20324"), gga("2359\(59 - second)")]
        }
        let text = rmc("235959", date: "010324") + gga("235958") + late.joined() + gga("000004")
        let midnight = utc("2024-03-02T00:00:00Z")
        #expect(
            times(text).map { $0.map { ($0 - midnight).seconds } }
                == [-1, -2, 0, -1, 1, -2, 2, -3, 3, -4, 4])
        // Nor does a sentence of before midnight make a day in a recording without a date.
        let undated = gga("235959") + gga("000000") + gga("235959.5") + gga("000001")
        #expect(
            times(undated, .recorded(givesDate: false)).last == utc("1970-01-02T00:00:01Z"))
    }

    @Test("a clock that is set back a little is not a midnight")
    func backwards() {
        let text = rmc("120005") + gga("120004") + gga("120003")
        #expect(times(text).last == utc("2024-03-02T12:00:03Z"))
    }

    @Test("epochs before the first known date are not fixes")
    func before() {
        let all = reports(gga("115958") + gga("115959") + rmc("120000") + gga("120001"))
        #expect(all.map(\.hasFix) == [false, false, true, true])
        #expect(all.map { $0.time == nil } == [true, true, false, false])
    }

    @Test("the date of a void RMC is not believed")
    func void() {
        let all = reports(
            rmc("120000", status: "V", date: "050180") + gga("120001") + rmc("120002"))
        #expect(all.map(\.hasFix) == [false, false, true])
    }

    @Test("the date of a void RMC is the clock's, and dates no fix")
    func voidClock() {
        let text =
            rmc("235950") + rmc("000010", status: "V", date: "030324")
            + rmc("000020", status: "V", date: "") + rmc("120000", status: "V", date: "090324")
            + gga("235955") + gga("000030")
        #expect(
            times(text) == [
                utc("2024-03-02T23:59:50Z"), utc("2024-03-03T00:00:10Z"),
                utc("2024-03-03T00:00:20Z"), utc("2024-03-09T12:00:00Z"),
                utc("2024-03-02T23:59:55Z"), utc("2024-03-03T00:00:30Z"),
            ])
        #expect(reports(text).map(\.hasFix) == [true, false, false, false, true, true])
        let live = times(text, .live(floor: utc("2024-03-01T00:00:00Z")))
        #expect(live[3] == utc("2024-03-02T12:00:00Z"), "live it is no clock")
    }

    @Test("a cold start in 1980, over midnight, moves neither the clock nor the date")
    func coldStart() {
        let text =
            rmc("100000") + rmc("235958", status: "V", date: "050180")
            + rmc("000001", status: "V", date: "060180") + rmc("000002", date: "060180")
            + nmea("GPZDA,000003,06,01,1980,,") + rmc("100100", status: "V") + gga("100101")
            + rmc("100102")
        let begun = utc("2024-03-02T10:00:00Z")
        let expected: [Double?] = [0, nil, nil, -36_000 + 2, 60, 61, 62]
        #expect(times(text).map { $0.map { ($0 - begun).seconds } } == expected)
    }

    @Test("a recording without any date begins on 1970-01-01 and adds a day at midnight")
    func none() {
        let text = gga("235959") + gga("000000") + gga("000001")
        #expect(
            times(text, .recorded(givesDate: false)) == [
                utc("1970-01-01T23:59:59Z"), utc("1970-01-02T00:00:00Z"),
                utc("1970-01-02T00:00:01Z"),
            ])
    }

    @Test("ZDA dates an epoch, before it, behind it, with another fraction, across midnight")
    func zda() {
        #expect(
            times(nmea("GPZDA,120000,02,03,2024,,") + gga("120000")) == [
                utc("2024-03-02T12:00:00Z")
            ])
        #expect(
            times(gga("120000") + nmea("GPZDA,120000.05,02,03,2024,,")) == [
                utc("2024-03-02T12:00:00Z")
            ])
        #expect(
            times(gga("235959.98") + nmea("GPZDA,000000,02,03,2024,,")) == [
                utc("2024-03-01T23:59:59.98Z")
            ])
        #expect(times(gga("120000") + nmea("GPZDA,120000,,,,,")) == [nil])
    }

    @Test(
        "a date that does not exist is ignored",
        arguments: [
            "300224", "30224x", "1224", "001224", "311100", "011324", "12", "0203240", "-10324",
            "02.324",
        ])
    func noDate(_ date: String) {
        #expect(times(rmc("120000", date: date)) == [nil])
    }

    @Test("the century: 80 to 99 is the last one")
    func century() {
        #expect(times(rmc("120000", date: "060181")) == [utc("1981-01-06T12:00:00Z")])
        #expect(times(rmc("120000", date: "010179")) == [utc("2079-01-01T12:00:00Z")])
    }

    @Test("a leap second is the first of the next day")
    func leapSecond() {
        #expect(times(rmc("235960", date: "311216")) == [utc("2017-01-01T00:00:00Z")])
    }

    struct Rollover: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(said) seen from \(floor)" }
        var floor: String
        var said: String
        var meant: String
    }

    static let rollovers = [
        Rollover(floor: "2026-11-01", said: "230307", meant: "2026-11-06T12:00:00Z"),
        Rollover(floor: "2026-11-01", said: "160607", meant: "2027-01-30T12:00:00Z"),
        Rollover(floor: "2026-11-01", said: "070887", meant: "2026-11-06T12:00:00Z"),
        // No rollover: too recent by a day, a recording played into a live source, the true date.
        Rollover(floor: "2026-11-01", said: "180607", meant: "2007-06-18T12:00:00Z"),
        Rollover(floor: "2026-11-01", said: "030414", meant: "2014-04-03T12:00:00Z"),
        Rollover(floor: "2026-11-01", said: "061126", meant: "2026-11-06T12:00:00Z"),
    ]

    @Test("live, a date that is a rollover old is repaired", arguments: rollovers)
    func rollover(_ one: Rollover) {
        let floor = utc(one.floor + "T00:00:00Z")
        let found = times(rmc("120000", date: one.said), .live(floor: floor))
        #expect(found == [utc(one.meant)])
    }

    @Test("replay changes no date, however old")
    func replayKeeps() {
        #expect(times(rmc("120000", date: "250905")) == [utc("2005-09-25T12:00:00Z")])
    }

    @Test(
        "live without any date: the wall clock's day, when three fixes have come without RMC or ZDA"
    )
    func wallClock() {
        let text = ["235957", "235958", "235959", "000000", "000001"].map { gga($0) }.joined()
        let now = utc("2026-11-20T23:59:58Z")
        #expect(
            times(text, .live(floor: now), now: now) == [
                nil, nil, utc("2026-11-20T23:59:59Z"), utc("2026-11-21T00:00:00Z"),
                utc("2026-11-21T00:00:01Z"),
            ])
    }

    @Test("live, a receiver that sends an empty ZDA is waited for")
    func waits() {
        let text = ["120000", "120001", "120002", "120003"].map { gga($0) + nmea("GPZDA,,,,,,") }
        let now = utc("2026-11-20T12:00:00Z")
        #expect(times(text.joined(), .live(floor: now), now: now) == [nil, nil, nil, nil])
    }
}
