import HTTP
import Testing
import Time

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test("the form that is sent today")
    func usual() {
        #expect(
            HTTPDate.time("Sun, 06 Nov 1994 08:49:37 GMT")
                == UTCTime(secondsSince1970: 784_111_777))
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET",
        ])
    func flawed(_ text: String) {
        #expect(HTTPDate.time(text) == nil)
    }
}
