import Bytes
import Testing

@Suite("A length for people") struct LengthTextTests {
    @Test(
        "metres below 100, then kilometres",
        arguments: [
            (0, "0 m"), (0.4, "0 m"), (80, "80 m"), (99.4, "99 m"), (99.6, "0.1 km"),
            (100, "0.1 km"),
            (149, "0.1 km"), (950, "1.0 km"), (12_345.6, "12.3 km"), (40_075_016.7, "40075.0 km"),
        ])
    func lengths(_ metres: Double, _ text: String) {
        #expect(LengthText.of(metres: metres) == text)
    }

    @Test("what is no length is said as it is", arguments: [-1, 1e300, .nan, -.infinity])
    func noLength(_ metres: Double) {
        #expect(LengthText.of(metres: metres) == "\(metres) m")
    }
}
