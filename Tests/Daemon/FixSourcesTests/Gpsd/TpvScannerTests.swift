import Geodesy
import Model
import Testing
import Time

@testable import FixSources

@Suite("TPV objects, read with libgps and without")
struct TpvScannerTests {
    private func isSame(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        // libgps's own conversion is off by a few units in the last place.
        return (a - b).magnitude <= 1e-12 * max(a.magnitude, 1)
    }

    private func isSame(_ a: PositionReport, _ b: PositionReport) -> Bool {
        a.time == b.time && a.hasFix == b.hasFix
            && isSame(a.coordinate?.latitude, b.coordinate?.latitude)
            && isSame(a.coordinate?.longitude, b.coordinate?.longitude)
            && isSame(a.error, b.error) && isSame(a.speed, b.speed) && isSame(a.course, b.course)
    }

    private func scanned(_ line: [UInt8]) -> PositionReport? {
        TpvScanner.text(of: line.span).map(PositionReport.init)
    }

    private func unpacked(_ line: [UInt8]) -> PositionReport? {
        LibgpsDecoder().text(of: line).map(PositionReport.init)
    }

    private func line(_ text: some Sequence<UInt8>) -> [UInt8] { Array(text) }

    @Test("gpsd's output for its recorded receivers is read the same without libgps")
    func recorded() throws {
        var count = 0
        for name in ["haicom-305N", "ublox-zed-f9p-nmea", "tomtom-mkII", "garmin15x", "saab-r4"] {
            let lines = try data("gpsd/\(name).tpv.gz").split { $0 == 10 || $0 == 13 }
            for text in lines.map(line) {
                guard let report = unpacked(text) else { continue }
                let own = try #require(scanned(text), "\(name): \(text)")
                #expect(isSame(own, report), "\(name): \(own) \(report)")
                count += 1
            }
        }
        #expect(count > 250)
    }

    @Test("a time in seconds, as gpsd wrote it before 2.95, is read to the microsecond")
    func seconds() {
        func time(_ text: String) -> UTCTime? {
            scanned(Array(#"{"class":"TPV","time":\#(text),"mode":3}"#.utf8))?.time
        }
        #expect(time("1714557600.00") == UTCTime(iso8601: "2024-05-01T10:00:00Z"))
        #expect(time("1714557600") == UTCTime(iso8601: "2024-05-01T10:00:00Z"))
        #expect(time("1714557600.123") == UTCTime(iso8601: "2024-05-01T10:00:00.123Z"))
        for text in ["0", "-1714557600", "17145576000000", "nan", ""] { #expect(time(text) == nil) }
    }

    private static let tpv =
        #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2024-02-29T23:59:59.000Z","ept":0.005,"#
        + #""lat":49.500000001,"lon":-12.25,"alt":250.2,"epx":9.1,"epy":-10.4,"epv":29.900,"#
        + #""track":0.5,"speed":2.5,"climb":0.000,"eph":9.5}"#

    @Test("a mutated TPV read without libgps gives the same with it", arguments: 0..<10)
    func mutated(_ seed: Int) {
        var random = Splitmix(state: UInt64(seed) &+ 5)
        var count = 0
        for _ in 0..<3000 {
            var text = Array(Self.tpv.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text[place] = UInt8.random(in: 32...126, using: &random)
                case 1: text.remove(at: place)
                default: text.insert(UInt8(ascii: "0") + UInt8(place % 10), at: place)
                }
            }
            guard let own = scanned(line(text)) else { continue }
            count += 1
            guard let report = unpacked(line(text)) else { continue }
            #expect(isSame(own, report), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(count > 500)
    }

    @Test(
        "a TPV in another format is left to libgps",
        arguments: [
            ("a space", #""mode":3,"lat": 1"#),
            ("an escaped quotation mark", #""mode":3,"device":"a\"","lat":1"#),
            ("an exponent", #""mode":3,"lat":1e1"#), ("a list", #""mode":3,"x":[1]"#),
            ("an object", #""mode":3,"x":{"lat":7}"#), ("a word", #""mode":3,"lat":null"#),
            ("no mode", #""lat":1.5"#), ("mode 0", #""mode":0"#),
            ("a text for a number", #""mode":3,"lat":"1""#),
            ("a second class", #""mode":3,"class":"TPV""#),
            ("a text that does not end", #""mode":3,"device":"/dev/a,lat":7"#),
            ("members in a text", #""mode":3,"device":"1,"lat":7,""#),
            ("letters in a number of no use", #""mode":3,"alt":1x5,"lat":7"#),
            ("a quotation mark in a number of no use", #""mode":3,"alt":1"5,"lat":7"#),
            ("a key without a value", #""mode":3,"lat":"#),
            ("a sign without a number", #""mode":3,"lat":-"#),
            ("no member at all", #""mode":3,"#),
            ("two commas", #""mode":3,,"lat":7"#),
            ("a time that ends early", #""mode":3,"time":"2016-12-31T23:59:50"#),
            ("a time without seconds", #""mode":3,"time":"2016-12-31T23:59Z""#),
            ("a point without a fraction", #""mode":3,"time":"2016-12-31T23:59:50.Z""#),
            ("more digits than a double has", #""mode":3,"lat":1.00000000000000001"#),
            ("an invalid date", #""mode":3,"time":"2023-02-29T00:00:00Z""#),
            ("a leap second", #""mode":3,"time":"2016-12-31T23:59:60Z""#),
            ("another zone", #""mode":3,"time":"2016-12-31T23:59:50+01:00""#),
            ("nanoseconds", #""mode":3,"time":"2016-12-31T23:59:50.1234567Z""#),
        ])
    func otherwise(_ what: String, _ members: String) {
        #expect(scanned(line("{\"class\":\"TPV\",\(members)}".utf8)) == nil, "\(what)")
    }

    @Test(
        "the last of the members counts, however short",
        arguments: [("lat", 7.0), ("lon", 7), ("eph", 7), ("epx", 7), ("speed", 7), ("track", 7)])
    func last(_ key: String, _ value: Double) throws {
        let bytes = line("{\"class\":\"TPV\",\"mode\":2,\"\(key)\":7}".utf8)
        let scanned = TpvScanner.text(of: bytes.span)
        let text = try #require(scanned)
        let values = [
            "lat": text.latitude, "lon": text.longitude, "eph": text.eph, "epx": text.epx,
            "speed": text.speed, "track": text.track,
        ]
        #expect(values[key] == value)
        let mode = TpvScanner.text(of: line(#"{"class":"TPV","mode":2}"#.utf8).span)
        #expect(mode?.mode == 2)
    }

    @Test("a text with commas in it is a text")
    func commas() {
        let bytes = line(#"{"class":"TPV","mode":2,"device":"/dev/a,lat:1,","lat":7}"#.utf8)
        let text = TpvScanner.text(of: bytes.span)
        #expect(text?.latitude == 7)
    }

    @Test("a truncated TPV is not read")
    func cut() {
        for count in 0..<Self.tpv.utf8.count {
            #expect(scanned(line(Self.tpv.utf8.prefix(count))) == nil)
        }
        #expect(scanned(line(Self.tpv.utf8)) != nil)
        #expect(scanned(line((Self.tpv + " ").utf8)) == nil)
    }
}
