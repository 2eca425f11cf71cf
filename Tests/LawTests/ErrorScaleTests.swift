import EngineTestKit
import Geodesy
import Glibc
import Model
import Testing
import Time

/// "Where the error comes from" in the law: what a radius that is too small costs, and what it does not
/// when it is scaled.
struct ErrorScaleTests {
    /// Openings of a circle of 50 m in two days, parked 5 m inside it, with a fix a second whose error
    /// is white, 15 m per axis.
    private func openings(error: Double) throws -> Int {
        var drive = Script([try Script.circle("yard", x: 0, radius: 50)])
        var random = SeededRandom(seed: 28)
        for second in 0..<172_800 {
            // Box and Muller.
            let radius = 15 * (-2 * log(random.uniform(1e-12...1))).squareRoot()
            let angle = random.uniform(0...2 * .pi)
            drive.at(
                Double(second), x: 45 + radius * cos(angle), y: radius * sin(angle), error: error,
                speed: 0)
        }
        return drive.events.count { [.enter, .initial].contains($0.kind) }
    }

    @Test("one sigma, scaled, opens no more often than an honest 95 % radius, and that is rare")
    func parked() throws {
        let honest = try openings(error: 15 * 2.4477)
        let scaled = try openings(error: 15 * 2.45)
        let unscaled = try openings(error: 15)
        #expect(scaled <= honest && honest <= 6 && unscaled > honest, "\(unscaled) \(honest)")
    }
}
