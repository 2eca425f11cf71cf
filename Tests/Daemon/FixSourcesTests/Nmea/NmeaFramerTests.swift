import Foundation
import Testing

@testable import FixSources

@Suite("NMEA framing")
struct NmeaFramerTests {
    private func framed(_ bytes: [UInt8]) -> (sentences: [NmeaSentence.Kind], counts: NmeaCounts) {
        var framer = NmeaFramer()
        var kinds = bytes.compactMap { framer.feed($0)?.kind }
        if let last = framer.finish() { kinds.append(last.kind) }
        return (kinds, framer.counts)
    }

    struct Vectors: Decodable {
        struct Case: Decodable {
            var sentence: String
            var expect: String?
        }
        var cases: [Case]
    }

    @Test("minmea's vectors: the checksum is mandatory, and must be in its place")
    func minmea() throws {
        let bytes = Data(try data("nmea_minmea_sentences.json"))
        let vectors = try JSONDecoder().decode(Vectors.self, from: bytes)
        #expect(vectors.cases.count > 30)
        for vector in vectors.cases {
            let latin1 = vector.sentence.unicodeScalars.map { UInt8($0.value) }
            // minmea treats a doubled dollar as an error; here any dollar begins a sentence.
            let isValid = vector.expect == "valid" || vector.sentence.hasPrefix("$$")
            #expect((framed(latin1).counts.good == 1) == isValid, "\(vector.sentence)")
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var kinds: [NmeaSentence.Kind]
    }

    static let fix = rmc("120000")
    static let cases = [
        Case(testDescription: "any talker", text: nmea("XYRMC,1"), kinds: [.rmc]),
        Case(
            testDescription: "Garmin's PGRMC is no RMC", text: nmea("PGRMC,1") + fix, kinds: [.rmc]),
        Case(
            testDescription: "a time stamp in front", text: "2014-08-01T00:00:00.8Z " + fix,
            kinds: [.rmc]),
        Case(
            testDescription: "a tag block in front", text: "\\s:r3,c:1120959341*5F\\" + fix,
            kinds: [.rmc]),
        Case(
            testDescription: "two on a line",
            text: fix.filter { !$0.isNewline } + gga("120000"), kinds: [.rmc, .gga]),
        Case(
            testDescription: "carriage returns alone",
            text: (fix + gga("120000")).replacing("\r\n", with: "\r"), kinds: [.rmc, .gga]),
        Case(testDescription: "no line end at all", text: String(fix.dropLast()), kinds: [.rmc]),
        Case(
            testDescription: "a comment that quotes a sentence", text: "# " + fix + gga("1"),
            kinds: [.gga]),
        Case(testDescription: "AIS", text: "!AIVDM,1,1,,A,x,0*26\r\n" + fix, kinds: [.rmc]),
        Case(
            testDescription: "NUL bytes between", text: "\0\0" + fix + "\0" + fix,
            kinds: [.rmc, .rmc]),
        Case(
            testDescription: "cut by the next one", text: "$GPRMC,1200" + gga("120000"),
            kinds: [.gga]),
        Case(
            testDescription: "an endless line, and one after it on the same line",
            text: "$" + String(repeating: "x", count: 100_000) + fix, kinds: [.rmc]),
        Case(
            testDescription: "a byte that is no ASCII", text: "$GPRMC,\u{7F}*00\r\n" + fix,
            kinds: [.rmc]),
        Case(
            testDescription: "a wrong checksum", text: "$GPGGA,1*00\r\n" + fix, kinds: [.rmc]),
    ]

    @Test("sentences are found among other data", arguments: cases)
    func found(_ one: Case) {
        #expect(framed(Array(one.text.utf8)).sentences == one.kinds)
    }

    @Test("skipped data is counted by reason")
    func counted() {
        let text =
            Self.fix + "$GPGGA,1*00\r\n" + "$GPGGA,1\r\n" + "$GPGGA,1*5\r\n" + "$"
            + String(repeating: "x", count: 300) + "\r\n"
        let counts = framed(Array(text.utf8)).counts
        #expect(counts == NmeaCounts(good: 1, badChecksum: 1, unfinished: 2, overlong: 1))
    }
}
