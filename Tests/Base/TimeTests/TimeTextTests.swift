import Testing
import Time

struct TimeTextTests {
    @Test(
        "a time as text has milliseconds, truncated",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_158_843_420_999_999, "2026-11-20T07:14:03.420Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999Z"),
            (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func texts(nanoseconds: Int64, text: String) {
        #expect(UTCTime(nanoseconds: nanoseconds).iso8601 == text)
    }

    @Test(
        "an ISO 8601 text is a time, with a fraction and an offset where there are some",
        arguments: [
            ("2010-02-01T12:31:38Z", "2010-02-01T12:31:38.000Z"),
            ("2010-02-01t12:31:38z", "2010-02-01T12:31:38.000Z"),
            ("2010-02-01 12:31:38", "2010-02-01T12:31:38.000Z"),
            ("2010-02-01T12:31:38.5+01:30", "2010-02-01T11:01:38.500Z"),
            ("2000-02-29T24:00:00-0100", "2000-03-01T01:00:00.000Z"),
            ("1969-12-31T23:59:59.9999999999Z", "1969-12-31T23:59:59.999Z"),
        ])
    func parsed(text: String, time: String) {
        #expect(UTCTime(iso8601: text)?.iso8601 == time)
    }

    @Test(
        "an invalid date is not a time",
        arguments: [
            "", "2010-02-01", "2010-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
            "2010-13-01T00:00:00Z",
            "2010-02-01T12:60:00Z", "2010-02-01T12:31:38.Z", "2010-02-01T12:31:38+24:00",
            "2010-02-01T12:31:38Zx", "1699-12-31T00:00:00Z", "9999-01-01T00:00:00Z",
        ])
    func noTime(text: String) { #expect(UTCTime(iso8601: text) == nil) }

    @Test("spans are clamped to what 64 bits hold, whatever they are multiplied by")
    func arithmetic() {
        #expect(TimeSpan.seconds(2) * 3 == .milliseconds(6000))
        #expect(TimeSpan.seconds(1) * .max == TimeSpan(nanoseconds: .max))
        #expect(TimeSpan.seconds(1) * .min == TimeSpan(nanoseconds: .min))
        #expect(TimeSpan.seconds(-1) * .min == TimeSpan(nanoseconds: .max))
        #expect(TimeSpan.seconds(1) / 4 == .microseconds(250_000))
        #expect(TimeSpan(nanoseconds: -1_999_999_999).wholeSeconds == -1)
        #expect(Uptime(nanoseconds: .min) - .seconds(1) == Uptime(nanoseconds: .min))
    }
}
