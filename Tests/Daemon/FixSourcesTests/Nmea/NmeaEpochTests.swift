import Geodesy
import Model
import Testing

@testable import FixSources

@Suite("NMEA epochs")
struct NmeaEpochTests {
    private func only(_ text: String) throws -> PositionReport {
        let all = reports(text)
        try #require(all.count == 1)
        return all[0]
    }

    @Test("the sentences of an epoch are one report")
    func merged() throws {
        let report = try only(
            rmc("120000.50") + gga("120000.5")
                + nmea("GPGSA,A,3,10,28,,,,,,,,,,,3.4,1.7,3.0") + nmea("GPVTG,1,T,,M,2,N,3,K,A")
                + nmea("GPGLL,4901.5940,N,01203.9163,E,120000.500,A,A"))
        #expect(report.time == utc("2024-03-02T12:00:00.5Z"))
        #expect(report.hasFix)
        #expect(report.speed == 10 * 1852.0 / 3600)
        #expect(report.course == 131.9)
    }

    @Test("a void RMC makes the whole epoch no fix, at any position in it")
    func void() throws {
        for text in [
            rmc("120000", status: "V") + gga("120000"), gga("120000") + rmc("120000", status: "V"),
        ] {
            let all = reports(rmc("115959") + text)
            #expect(all.map(\.hasFix) == [true, false])
            #expect(all[1].time == utc("2024-03-02T12:00:00Z"))
            #expect(all[1].coordinate == nil)
        }
    }

    @Test("a void RMC without a time does not spoil the epoch before it")
    func voidWithoutTime() {
        let lost = nmea("GPRMC,,V,,,,,,,,,,N") + nmea("GPGGA,,,,,,0,00,99.99,,,,,,")
        let all = reports(rmc("120000") + gga("120000") + lost + lost)
        #expect(all.map(\.hasFix) == [true, false, false])
        #expect(all.map(\.time) == [utc("2024-03-02T12:00:00Z"), nil, nil])
    }

    struct Quality: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var hasFix: Bool
    }

    static let qualities = [
        Quality(testDescription: "GGA 0", text: gga("120000", quality: "0"), hasFix: false),
        Quality(testDescription: "GGA empty", text: gga("120000", quality: ""), hasFix: false),
        Quality(testDescription: "GGA 12", text: gga("120000", quality: "12"), hasFix: false),
        Quality(testDescription: "GGA 6", text: gga("120000", quality: "6"), hasFix: true),
        Quality(testDescription: "GGA 7", text: gga("120000", quality: "7"), hasFix: true),
        Quality(testDescription: "GGA 8", text: gga("120000", quality: "8"), hasFix: true),
        Quality(
            testDescription: "GGA 0 but RMC A", text: gga("120000", quality: "0") + rmc("120000"),
            hasFix: true),
        Quality(
            testDescription: "GLL V", text: nmea("GPGLL,4901.5,N,01203.9,E,120000,V,N"),
            hasFix: false),
        Quality(
            testDescription: "GLL A with mode N",
            text: nmea("GPGLL,4901.5,N,01203.9,E,120000,A,N"), hasFix: false),
        Quality(
            testDescription: "GLL A", text: nmea("GPGLL,4901.5,N,01203.9,E,120000,A"), hasFix: true),
        Quality(
            testDescription: "GNS NN", text: nmea("GNGNS,120000,4901.5,N,01203.9,E,NN,5,1,,,,"),
            hasFix: false),
        Quality(
            testDescription: "GNS NA", text: nmea("GNGNS,120000,4901.5,N,01203.9,E,NA,5,1,,,,"),
            hasFix: true),
        Quality(
            testDescription: "GGA without position", text: nmea("GPGGA,120000,,,,,1,07,1,,,,,,"),
            hasFix: false),
    ]

    @Test("status and mode fields", arguments: qualities)
    func quality(_ one: Quality) throws {
        let all = reports(rmc("115959") + one.text)
        #expect(all.map(\.hasFix) == [true, one.hasFix])
    }

    struct ErrorCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var error: Double?
    }

    static let gsa = nmea("GPGSA,A,3,10,28,,,,,,,,,,,3.4,1.7,3.0")
    static let gst = nmea("GPGST,120000,3.2,6.6,4.7,47.3,3,4,22.0")
    static let gns = nmea("GNGNS,120000,4901.5,N,01203.9,E,AN,5,1.4,,,,")
    static let errors = [
        ErrorCase(testDescription: "GST", text: rmc("120000") + gst, error: 8.5),
        ErrorCase(testDescription: "GST before HDOP", text: gst + gga("120000"), error: 8.5),
        ErrorCase(
            testDescription: "GST that is empty",
            text: gga("120000") + nmea("GPGST,120000,,,,,,,"), error: 18),
        ErrorCase(testDescription: "HDOP of GGA", text: gga("120000") + gsa, error: 18),
        ErrorCase(testDescription: "HDOP of GNS", text: gns + gsa, error: 21),
        ErrorCase(
            testDescription: "GGA before GNS", text: gns + gga("120000"), error: 18),
        ErrorCase(
            testDescription: "HDOP 0: missing", text: gga("120000", hdop: "0.0") + gsa, error: 25.5),
        ErrorCase(
            testDescription: "the last GSA that has one",
            text: rmc("120000") + nmea("GPGSA,A,3,1,,,,,,,,,,,,2,0.9,2") + gsa
                + nmea("GLGSA,A,3,1,,,,,,,,,,,,,,"), error: 25.5),
        ErrorCase(
            testDescription: "the last GSA of a constellation without a satellite",
            text: rmc("120000") + gsa + nmea("GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99"),
            error: 25.5),
        ErrorCase(
            testDescription: "the first GSA of a constellation without a satellite",
            text: rmc("120000") + nmea("GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99") + gsa,
            error: 25.5),
        ErrorCase(
            testDescription: "no constellation has a satellite",
            text: rmc("120000") + nmea("GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99"),
            error: 99.99 * 15),
        ErrorCase(testDescription: "nothing", text: rmc("120000"), error: nil),
        ErrorCase(
            testDescription: "quality 2", text: gga("120000", quality: "2", hdop: "2"), error: 7.5),
        ErrorCase(
            testDescription: "quality 4", text: gga("120000", quality: "4", hdop: "2"), error: 7.5),
        ErrorCase(
            testDescription: "quality 5", text: gga("120000", quality: "5", hdop: "2"), error: 7.5),
        ErrorCase(
            testDescription: "quality 3", text: gga("120000", quality: "3", hdop: "2"), error: 30),
        ErrorCase(
            testDescription: "GNS mode D",
            text: gns.isEmpty ? "" : nmea("GNGNS,120000,4901.5,N,01203.9,E,AD,5,2,,,,"), error: 7.5),
        ErrorCase(
            testDescription: "GNS mode P", text: nmea("GNGNS,120000,4901.5,N,01203.9,E,P,5,2,,,,"),
            error: 30),
    ]

    @Test("error e", arguments: errors)
    func error(_ one: ErrorCase) throws {
        let all = reports(rmc("115959") + one.text)
        #expect(all.count == 2)
        let found = all.last?.error
        #expect(found.map { ($0 * 1e9).rounded() } == one.error.map { ($0 * 1e9).rounded() })
    }

    @Test("position: GGA, GNS, RMC, GLL in this order")
    func precedence() {
        let sentences = [
            gga("120000", latitude: "4901.1"),
            nmea("GNGNS,120000,4901.2,N,01203.9163,E,A,5,1,,,,"),
            rmc("120000", latitude: "4901.3"),
            nmea("GPGLL,4901.4,N,01203.9163,E,120000,A,A"),
        ]
        for first in sentences.indices {
            let text = sentences[first...].reversed().joined()
            let expected = 49 + (1.1 + 0.1 * Double(first)) / 60
            let found = reports(rmc("115959") + text).last?.coordinate?.latitude ?? .nan
            #expect(abs(found - expected) < 1e-12)
        }
    }

    @Test(
        "speed and course: RMC, else VTG in knots, else in km/h; a VTG without a fix says nothing")
    func motion() throws {
        let silent = nmea("GPRMC,120000,A,4901.5940,N,01203.9163,E,,,020324,,,A")
        let knots = try only(silent + nmea("GPVTG,90.5,T,,M,10,N,18.52,K,A"))
        #expect(knots.speed == 10 * 1852.0 / 3600)
        #expect(knots.course == 90.5)
        let kilometres = try only(silent + nmea("GPVTG,90.5,T,,M,,N,36,K,A"))
        #expect(kilometres.speed == 10)
        let none = try only(silent + nmea("GPVTG,90.5,T,,M,10,N,18.52,K,N"))
        #expect(none.speed == nil)
    }

    @Test("GST, VTG and GSA after the position are not lost, and a late GST makes no epoch")
    func late() {
        let all = reports(
            rmc("120000") + gga("120000") + Self.gst + rmc("120001") + gga("120001") + Self.gst
                + rmc("120002"))
        #expect(all.count == 3)
        #expect(all.map { $0.error != nil } == [true, true, false])
        #expect(all[1].error == 18)
    }
}

/// Section "Words" of the law: to which epoch a GSA belongs.
@Suite("GSA between epochs")
struct GsaPlaceTests {
    private func gsa(_ hdop: Int) -> String { nmea("GPGSA,A,3,10,28,,,,,,,,,,,3.4,\(hdop),3.0") }

    private func time(_ second: Int) -> String { "1200\(second < 10 ? "0" : "")\(second)" }

    /// The error of each report over that of an HDOP of 1; 0 for none.
    private func dilutions(_ reports: [PositionReport]) -> [Int] {
        reports.map { Int((($0.error ?? 0) / 15).rounded()) }
    }

    /// As a SiRF sends it, GGA (without an HDOP, so that it does not hide that of the GSA) in every
    /// fifth second; the HDOP of a second is its number.
    private func sirf(_ seconds: Range<Int>) -> [String] {
        seconds.map { second in
            (second % 5 == 0 ? gga(time(second), hdop: "") : "") + gsa(second)
                + nmea("GPGSV,1,1,01,05,67,099,26") + rmc(time(second))
        }
    }

    @Test("sent before its RMC, it is of that second, once a whole epoch has shown it")
    func ahead() {
        #expect(dilutions(reports(sirf(5..<40).joined())) == Array(5..<40))
        // Until then it is of the epoch before.
        #expect(dilutions(reports(sirf(1..<9).joined())) == [2, 3, 4, 0, 5, 6, 7, 8])
    }

    @Test("one that is missing leaves its second without")
    func missing() {
        var cycles = sirf(5..<12)
        cycles[3] = rmc(time(8))
        #expect(dilutions(reports(cycles.joined())) == [5, 6, 7, 0, 9, 10, 11])
    }

    @Test("live it is the same, with each second given as soon as it is complete")
    func live() {
        var settings = ReceiverSettings()
        settings.dates = .live(floor: utc("2024-01-01T00:00:00Z"))
        for isQuick in [true, false] {
            var assembler = NmeaAssembler(settings)
            var all: [PositionReport] = []
            for burst in sirf(5..<40) {
                all += burst.utf8.compactMap { assembler.feed($0) }
                let report =
                    isQuick
                    ? assembler.finishIfComplete(now: nil)
                    : assembler.finishAfterSilence(now: nil)
                if let report { all.append(report) }
            }
            all += assembler.finish()
            #expect(dilutions(all) == Array(5..<40))
            #expect(assembler.late == 0)
        }
    }

    @Test("sent after the others, it is of the epoch before, whatever the first sentence is")
    func behind() {
        let cycles = (1..<20).map { second in
            rmc(time(second)) + gga(time(second), hdop: "") + gsa(second) + gsa(second)
        }
        #expect(dilutions(reports(cycles.joined())) == Array(1..<20))
        #expect(dilutions(reports(gsa(50) + cycles.joined())) == Array(1..<20))
        // With a sentence behind it, as u-blox sends: nothing of the next epoch begins so.
        let within = (1..<20).map { second in
            rmc(time(second)) + gsa(second)
                + nmea("GPGLL,4901.5940,N,01203.9163,E,\(time(second)),A,A")
        }
        #expect(dilutions(reports(within.joined())) == Array(1..<20))
    }

    @Test("of two GGA in a second the last one counts, with its quality and its HDOP")
    func twice() {
        let both = { (first: String, second: String) in
            reports(rmc("120000") + first + second).map { ($0.coordinate?.latitude, $0.error) }
        }
        let north = gga("120000", quality: "2", hdop: "1.0", latitude: "4902.0000")
        let south = gga("120000", quality: "1", hdop: "2.0", latitude: "4901.0000")
        #expect(both(north, south).map(\.0) == [49 + 1.0 / 60])
        #expect(both(north, south).map(\.1) == [30])
        #expect(both(south, north).map(\.0) == [49 + 2.0 / 60])
        #expect(both(south, north).map(\.1) == [3.75])
        // One without a position takes nothing away.
        #expect(both(north, gga("120000", quality: "0")).map(\.1) == [3.75])
    }
}
