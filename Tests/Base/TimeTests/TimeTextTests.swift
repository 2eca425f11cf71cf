import Testing
import Time

struct TimeTextTests {
    @Test(
        "a time as text has milliseconds, the rest cut off",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_158_843_420_999_999, "2026-11-20T07:14:03.420Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999_999_999, "2100-02-28T23:59:59.999Z"),
            (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func texts(nanoseconds: Int64, text: String) {
        #expect(ReceiverTime(nanoseconds: nanoseconds).iso8601 == text)
    }
}
