import Bytes
import Testing

@testable import JSON

@Suite("Numbers in and out")
struct NumberTests {
    @Test(
        "a whole number is exact however it is written",
        arguments: [
            ("7", 7), ("7.0", 7), ("70e-1", 7), ("0.7e1", 7), ("7E0", 7), ("-7.00", -7),
            ("0", 0), ("-0.0", 0), ("0e999999", 0), ("1e3", 1000),
            ("1e18", 1_000_000_000_000_000_000),
            ("9007199254740993", 9_007_199_254_740_993),
            ("-9007199254740993", -9_007_199_254_740_993),
            ("9007199254740993.0000000000000000000", 9_007_199_254_740_993),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("1.000000000000000000000000000000000", 1),
            ("0.00000000000000000000000000000000000000001e41", 1),
        ])
    func whole(text: String, integer: Int64) throws {
        #expect(try JSONValue(parsing: text).integer == integer)
    }

    @Test(
        "a number that is not whole or does not fit is not an integer",
        arguments: [
            "0.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e300", "1e-400",
            "1.00000000000000000000000000000000001", "18446744073709551617", "9007199254740993.5",
        ])
    func broken(text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.integer == nil)
        #expect(value.double != nil)
    }

    @Test(
        "a hard decimal gets the nearest double",
        arguments: [
            "9007199254740993", "9007199254740992.5", "9007199254740993.5",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
            "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
            "0.1", "0.3", "123456789012345678", "12345678901234567890", "1234567890123456789.5",
            "0.1234567890123456789", "8.5e-19", "1e22", "1e23", "9999999999999999999e-19",
            "9007199254740991e22", "9007199254740993e-22", "5e-324",
            "3.141592653589793238462643383279",
            "0.500000000000000166533453693773481063544750213623046875", "6929495644600919.5",
            "3377699720527872.5000000000000001", "1e-22", "179.99999999999997", "1e308",
        ])
    func hard(text: String) throws {
        let expected = try #require(Double(text))
        #expect(try JSONValue(parsing: text).double?.bitPattern == expected.bitPattern)
        #expect(try JSONValue(parsing: "-" + text).double?.bitPattern == (-expected).bitPattern)
    }

    @Test("random decimals get the same double as from strtod")
    func random() throws {
        var random = SeededGenerator(seed: 20_261_120)
        for _ in 0..<200_000 {
            let text = random.decimal()
            let expected = try #require(Double(text))
            guard expected.isFinite else { continue }
            let parsed = text.withByteView { JSONNumber(scanned: $0) }
            guard parsed?.double.bitPattern == expected.bitPattern else {
                Issue.record("\(text) became \(parsed.debugDescription)")
                return
            }
        }
    }

    @Test(
        "a double is written as ECMAScript writes it (RFC 8785, appendix B and section 3.2.2.3)",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (7.0, "7"), (-7.5, "-7.5"), (0.1, "0.1"), (1e-5, "0.00001"),
            (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (1e16, "10000000000000000"),
            (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e300, "1.5e+300"),
            (.leastNonzeroMagnitude, "5e-324"), (-.leastNonzeroMagnitude, "-5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
            (9_007_199_254_740_992, "9007199254740992"),
            (295_147_905_179_352_825_856, "295147905179352830000"),
            (9.999999999999997e22, "9.999999999999997e+22"), (1e23, "1e+23"),
            (999_999_999_999_999_737_856, "999999999999999700000"),
            (333_333_333.333_333_3, "333333333.3333333"),
            (-0.0000033333333333333333, "-0.0000033333333333333333"),
            (52.520006599999995, "52.520006599999995"),
            (123.456, "123.456"), (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
        ])
    func shortest(value: Double, expected: String) {
        var writer = JSONWriter()
        writer.number(value)
        #expect(writer.text == expected)
    }

    @Test(
        "a double is written with fixed decimals as printf rounds it",
        arguments: [
            (-12.4, 1, "-12.4"), (5.0, 1, "5.0"), (-0.04, 1, "0.0"), (-0.0, 1, "0.0"),
            (-0.06, 1, "-0.1"),
            (0.25, 1, "0.2"), (0.75, 1, "0.8"), (0.35, 1, "0.3"), (0.05, 1, "0.1"),
            (1.005, 2, "1.00"),
            (0.285, 2, "0.28"), (2.5, 0, "2"), (3.5, 0, "4"), (-0.5, 0, "0"), (9.96, 1, "10.0"),
            (99.999, 2, "100.00"), (52.520_006_6, 7, "52.5200066"), (1e-9, 9, "0.000000001"),
            (0.001, 7, "0.0010000"), (1e17, 3, "100000000000000000"),
            (.leastNonzeroMagnitude, 9, "0.000000000"),
            (4_503_599_627_370_495.5, 0, "4503599627370496"), (.nan, 1, "null"),
            (-.infinity, 1, "null"),
        ])
    func fixed(value: Double, decimals: Int, expected: String) {
        var writer = JSONWriter()
        writer.number(value, decimals: decimals)
        #expect(writer.text == expected)
    }
}

/// SplitMix64, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of the JSON grammar: mostly as in maps, sometimes a double's own digits or the
    /// middle between two, sometimes arbitrary.
    mutating func decimal() -> String {
        let sign = Bool.random(using: &self) ? "-" : ""
        switch Int.random(in: 0..<4, using: &self) {
        case 0:
            let digits = Int.random(in: 1...20, using: &self)
            let fraction = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &self))" }
            return "\(sign)\(Int.random(in: 0..<180, using: &self)).\(fraction.joined())"
        case 1:
            return "\(sign)\(Double.random(in: 0..<180, using: &self))"
        case 2:
            // m + ½ with m of 53 bits: exactly between two doubles.
            let middle = UInt64.random(in: 1 << 52..<1 << 53, using: &self)
            let nudge = ["", "0000000001", "0"].randomElement(using: &self) ?? ""
            return "\(sign)\(middle).5\(nudge)"
        default:
            let digits =
                UInt64.random(in: 0 ... .max, using: &self)
                >> UInt64.random(in: 0..<64, using: &self)
            return "\(sign)\(digits)e\(Int.random(in: -330...300, using: &self))"
        }
    }
}
