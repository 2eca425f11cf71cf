import Foundation
import Geodesy
import Model
import Testing

@testable import FixSources

@Suite("NMEA fields")
struct NmeaFieldsTests {
    private func sentence(_ body: String) throws -> NmeaSentence {
        try #require(NmeaSentence(Array(body.utf8)))
    }

    @Test(
        "a time of day is exact to the nanosecond",
        arguments: [
            ("000000", 0), ("235959.999", 86_399_999_000_000), ("120000.29", 43_200_290_000_000),
            ("120000.123456789123", 43_200_123_456_789),
            ("235960", 86_400_000_000_000), ("93015.00", 34_215_000_000_000),
            ("730", 450_000_000_000), ("1.00", 1_000_000_000), ("0", 0),
        ])
    func time(_ text: String, _ expected: Int64) throws {
        #expect(try sentence("GPGGA,\(text)").timeOfDay(1) == expected)
    }

    @Test(
        "an invalid time is missing",
        arguments: [
            "", "1261", "61", ".5", "+12000", "0120000", "240000", "126000", "120061", "1200 0",
            "-20000", "120000.x", "12000.x",
        ])
    func noTime(_ text: String) throws {
        #expect(try sentence("GPGGA,\(text)").timeOfDay(1) == nil)
    }

    @Test(
        "an invalid coordinate is missing",
        arguments: [
            ",,,", "A,S,15124.5567,E", "3356.4650,S,A,E", "3356.4650,X,15124.5567,E",
            "-3356.4650,S,15124.5567,E", "3356.4650,,15124.5567,E", "33564650123,S,15124.5567,E",
            "33.56.4650,S,15124.5567,E", ".,S,15124.5567,E", "3356.4650,SS,15124.5567,E",
        ])
    func noCoordinate(_ fields: String) throws {
        #expect(try sentence("GPGGA,1,\(fields)").coordinate(2) == nil)
    }

    @Test("a coordinate keeps every digit a survey receiver gives")
    func precise() throws {
        let found = try sentence("GNGGA,1,3403.47162394,N,11711.80927093,W").coordinate(2)
        let position = try #require(found)
        #expect(abs(position.latitude - (34 + 3.47162394 / 60)) < 1e-13)
        #expect(abs(position.longitude + (117 + 11.80927093 / 60)) < 1e-13)
    }

    @Test(
        "numbers are read whole or not at all",
        arguments: [("1.25", 1.25), ("-0.5", -0.5), (".5", 0.5), ("7.", 7), ("007", 7)])
    func number(_ text: String, _ value: Double) throws {
        #expect(try sentence("GPGGA,\(text)").number(1) == value)
    }

    @Test(
        "an invalid number is missing",
        arguments: ["", "-", ".", "1e5", "0x10", "nan", "1 ", "9999999999"])
    func noNumber(_ text: String) throws {
        #expect(try sentence("GPGGA,\(text)").number(1) == nil)
    }

    struct Vectors: Decodable {
        struct Case: Decodable {
            var sentence: String
            var error: String?
            var lat: Double?
            var lon: Double?
            var speed: Double?
            var hdop: Double?

            enum CodingKeys: String, CodingKey {
                case sentence, error, lat, lon, hdop
                case speed = "speed_kn"
            }
        }
        var cases: [Case]
    }

    @Test("go-nmea's vectors: position, speed and dilution")
    func goNmea() throws {
        let bytes = Data(try data("nmea_gonmea_rmc_gga_vtg.json"))
        let vectors = try JSONDecoder().decode(Vectors.self, from: bytes).cases
        #expect(vectors.count == 20)
        for vector in vectors where !vector.sentence.contains("VTG") {
            let report = reports(vector.sentence, dates: .recorded(givesDate: false)).first
            guard vector.error == nil else {
                // go-nmea refuses status D, which gpsd takes for a differential fix.
                let isDifferential = vector.error?.contains("validity: D") == true
                #expect(report?.hasFix ?? false == isDifferential, "\(vector.sentence)")
                continue
            }
            let position = try #require(report?.coordinate, "\(vector.sentence)")
            #expect(abs(position.latitude - (vector.lat ?? .nan)) < 1e-8)
            #expect(abs(position.longitude - (vector.lon ?? .nan)) < 1e-8)
            if let knots = vector.speed {
                #expect(abs((report?.speed ?? .nan) - knots * 0.514444) < 1e-3)
            }
            if let hdop = vector.hdop { #expect(report?.error == hdop * 15) }
        }
    }
}
