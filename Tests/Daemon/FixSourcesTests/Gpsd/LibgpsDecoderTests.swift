import Testing
import Time

@testable import FixSources

/// The same answers with libgps of gpsd 3.22, 3.25 and 3.27; the tests run with the one that is
/// installed.
@Suite("libgps, whichever version")
struct LibgpsDecoderTests {
    private let decoder = LibgpsDecoder()

    private func tpv(_ members: String) -> TpvText? {
        decoder.text(of: Array("{\"class\":\"TPV\",\(members)}".utf8))
    }

    /// Members that gpsd writes since then, with values of our own; a libgps that is older does not
    /// know them.
    @Test(
        "members of any version of gpsd are read, or passed over",
        arguments: [
            ("3.22", #""status":2,"leapseconds":18,"altHAE":310.1,"altMSL":263.5,"geoidSep":46.6"#),
            ("3.22", #""ecefx":4137183.1,"ecefpAcc":1.5,"relN":0.1,"velD":-0.2,"datum":"WGS84""#),
            ("3.25", #""wanglem":1.5,"wspeedt":3.2,"dgpsAge":1.0,"baseS":3,"baseL":12.5"#),
            ("3.27", #""wtemp":11.5,"temp":40.0,"jam":12,"clockbias":-5,"clockdrift":2"#),
            ("none", #""some text":"a","a number":-1.5e3,"truth":true,"nothing":null"#),
        ])
    func members(_ version: String, _ members: String) throws {
        let text = try #require(
            tpv(
                #""mode":3,"time":"2026-03-02T12:00:00.250Z",\#(members),"lat":49.5,"lon":-12.25,"#
                    + #""eph":9.5,"epx":3.0,"epy":4.0,"track":131.5,"speed":2.5"#),
            "members of gpsd \(version)")
        #expect(text.mode == 3)
        #expect(text.time == UTCTime(iso8601: "2026-03-02T12:00:00.250Z"))
        let numbers = [text.latitude, text.longitude, text.eph, text.epx, text.epy]
        #expect(numbers == [49.5, -12.25, 9.5, 3, 4])
        #expect([text.track, text.speed] == [131.5, 2.5])
    }

    @Test("what is not stated is nothing, also after a line that stated it")
    func absent() throws {
        let full = tpv(
            #""mode":3,"time":"2026-03-02T12:00:00Z","lat":1,"lon":2,"eph":3,"epx":4,"epy":5,"#
                + #""speed":6,"track":7"#)
        #expect(full?.track == 7)
        let text = try #require(tpv(#""mode":2"#))
        #expect(text.mode == 2)
        #expect(text.time == nil)
        let numbers = [
            text.latitude, text.longitude, text.eph, text.epx, text.epy, text.speed, text.track,
        ]
        #expect(numbers.filter { !$0.isNaN }.isEmpty)
    }

    @Test("a time is right to the microsecond, in this century and the last")
    func times() {
        for time in ["1999-08-22T00:00:00Z", "2026-12-31T23:59:59.999Z", "2038-01-19T03:14:08Z"] {
            #expect(tpv(#""mode":3,"time":"\#(time)""#)?.time == UTCTime(iso8601: time))
        }
    }

    @Test("a line that libgps cannot read is nothing, and the next one is read")
    func unreadable() {
        #expect(tpv(#""mode":"three""#) == nil)
        #expect(decoder.text(of: Array(#"{"class":"TPV","mode":3,"lat":7"#.utf8)) == nil)
        // libgps passes over a number that is missing.
        #expect(tpv(#""mode":3,"lat":"#)?.latitude.isNaN != false)
        #expect(tpv(#""mode":3,"lat":7"#)?.latitude == 7)
    }
}
