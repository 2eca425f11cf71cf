import Foundation
import Geodesy
import JSON
import SystemTestKit
import Testing

@testable import geofencectl

extension DaemonTests {
    /// `geofencectl doctor --measure` with a real gpsd, and a parked receiver that is wrong by as much
    /// as a test says.
    @MainActor
    @Suite("geofencectl doctor on a parked vehicle", .serialized)
    struct DoctorCoverageTests {
        /// The n-th place of a receiver with that standard deviation in each axis, m: a spiral with the
        /// quantiles of the normal distribution, so that the share within a radius is what it should
        /// be after few fixes, too.
        private static func place(_ number: Int, sigma: Double) -> (Double, Double) {
            func part(_ factor: Double) -> Double {
                (Double(number) * factor).truncatingRemainder(dividingBy: 1)
            }
            let radius = sigma * (-2 * log(1 - part(0.618_033_988_75))).squareRoot()
            let angle = 2 * Double.pi * part(0.414_213_562_37)
            let metre = 1 / 111_194.9
            return (
                48 + radius * sin(angle) * metre,
                11 + radius * cos(angle) * metre / cos(48 * .pi / 180)
            )
        }

        /// gpsd and a receiver with HDOP 1, without a daemon.
        /// - Parameter sigma: in each axis, in units of the error that gpsd states.
        private func bench(sigma: Double, speed: Double = 0) throws -> DoctorBench {
            let bench = try DoctorBench()
            try bench.gpsd.start()
            let findings = try bench.doctor("--json").output.jsonLines
            // `±19.0 m, at most 100.0 m count`
            let text = findings.first { $0["step"] == "error" }?["evidence"]?.string
            let stated = try #require(text.flatMap { Double($0.dropFirst().prefix { $0 != " " }) })
            let count = Counter()
            bench.epoch = { time in
                count.value += 1
                let (latitude, longitude) = Self.place(count.value, sigma: sigma * stated)
                return DoctorBench.healthy(
                    at: time, latitude: latitude, longitude: longitude, speed: speed)
            }
            return bench
        }

        private final class Counter { var value = 0 }

        private func steps(_ bench: DoctorBench) throws -> [String: JSONValue] {
            let findings = try bench.doctor("--json", "--measure", "6s").output.jsonLines
            return Dictionary(
                findings.map { ($0["step"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
        }

        @Test("errors of one sigma are too small, and the factor is named; it makes them honest")
        func sigma() throws {
            let bench = try bench(sigma: 1)
            let found = try steps(bench)
            let step = try #require(found["coverage"])
            #expect(step["cause"] == "error-too-small" && step["verdict"] == "doubtful", "\(step)")
            let measured = step["measured"]
            let count = try #require(measured?["fixes"]?.double)
            #expect(count > 50 && measured?["stated"]?.double == count, "\(step)")
            let share = (measured?["within_stated"]?.double ?? 0) / count
            // 1 - exp(-1/2)
            #expect(abs(share - 0.393) < 0.06, "\(step)")
            let factor = try #require(measured?["scale_95"]?.double)
            #expect(abs(factor - 2.45) < 0.2, "\(step)")
            let advice = try #require(step["do"]?.string)
            let words = "write ErrorScale=NMEA0183:"
            #expect(advice.hasPrefix(words) && advice.hasSuffix(",u-blox:2.45 into section [Fix]"))
            #expect(
                step["evidence"]?.string?.contains("%) within their stated error of the median")
                    == true, "\(step)")

            // As it says.
            let setting = advice.dropFirst("write ".count).prefix { $0 != " " }
            bench.configure("[Fix]\n\(setting)\n")
            let mended = try steps(bench)
            #expect(mended["coverage"]?["verdict"] == "good", "\(mended)")
            let within = mended["coverage"]?["measured"]?["within"]?.double ?? 0
            let all = mended["coverage"]?["measured"]?["fixes"]?.double ?? 1
            #expect(abs(within / all - 0.95) < 0.04, "\(mended)")
            // What is stated, and what counts.
            let text = try #require(mended["error"]?["evidence"]?.string)
            #expect(
                text.contains(" m stated, ±") && text.contains("ErrorScale=NMEA0183:2."), "\(text)")
        }

        @Test(
            "an honest receiver is found good, for people, too; not asked for, it is not measured")
        func honest() throws {
            let bench = try bench(sigma: 1 / 2.45)
            let step = try #require(try steps(bench)["coverage"])
            #expect(step["verdict"] == "good" && step["cause"] == .null, "\(step)")
            let text = try bench.doctor("--measure", "3s").output
            #expect(text.contains("\ngood      coverage "), "\(text)")
            #expect(try !bench.doctor("--json").output.contains("coverage"))
            let wrong = try bench.doctor("--measure", "soon")
            #expect(wrong.status == 2 && wrong.errors.contains("not a time"), "\(wrong)")
        }

        @Test("a vehicle that moves is not measured")
        func moves() throws {
            let bench = try bench(sigma: 0.1, speed: 5)
            let step = try #require(try steps(bench)["coverage"])
            #expect(step["verdict"] == "unknown", "\(step)")
            #expect(step["evidence"]?.string?.hasPrefix("it moves: ") == true, "\(step)")
        }
    }
}

@Suite struct ParkedFixesTests {
    private func fixes(
        _ count: Int, at longitude: Double, error: Double?, _ spread: (Int) -> Double
    ) -> ParkedFixes {
        var fixes = ParkedFixes(of: "")
        for number in 0..<count {
            let degrees = longitude + spread(number) / 111_319.5
            fixes.add(
                Coordinate(latitude: 0, longitude: degrees.remainder(dividingBy: 360)),
                error: error, speed: 0, of: "a")
            fixes.add(Coordinate(latitude: 80, longitude: 0), error: 1, speed: 9, of: "b")
        }
        return fixes
    }

    @Test("the median is right on both sides of 180 degrees; another receiver is left out")
    func antimeridian() {
        let fixes = fixes(101, at: 180, error: 10) { Double($0 - 50) / 5 }
        let coverage = fixes.coverage(of: "x", over: 101, SettingsEvidence())
        #expect(coverage.fixes == 101 && coverage.moving == 0)
        #expect(coverage.withinStated >= 99 && coverage.within == coverage.withinStated)
        #expect(abs((coverage.needed ?? 0) - 0.96) < 0.03, "\(coverage)")
    }

    @Test("what counts is what geofenced makes of it: scaled, not below the least, or the default")
    func counts() {
        let fixes = fixes(100, at: 11, error: 1) { $0 % 2 == 0 ? 0 : Double($0 % 4 == 1 ? 2 : 20) }
        var settings = SettingsEvidence()
        let least = fixes.coverage(of: "x", over: 100, settings)
        #expect(least.withinStated == 50 && least.within == 75)
        settings.errorScale = ["x": 10]
        settings.leastError = 1
        #expect(fixes.coverage(of: "x", over: 100, settings).within == 75)
        settings.errorScale = ["x": 1.5]
        #expect(fixes.coverage(of: "x", over: 100, settings).within == 50)
        let silent = self.fixes(100, at: 11, error: nil) { Double($0 % 2) * 16 }
        let none = silent.coverage(of: "x", over: 100, settings)
        #expect(none.stated == 0 && none.needed == nil && none.within < 100)
    }

    @Test("it takes a day at one a second, and no more")
    func limit() {
        var fixes = ParkedFixes(of: "a")
        for _ in 0..<ParkedFixes.most + 10 {
            fixes.add(Coordinate(latitude: 1, longitude: 2), error: 5, speed: nil, of: "a")
        }
        #expect(fixes.isFull)
        #expect(
            fixes.coverage(of: "", over: 1, SettingsEvidence()).fixes == ParkedFixes.most)
    }

    @Test("the least share that is not doubtful comes near 95 % with time")
    func least() {
        func least(_ seconds: Double) -> Int {
            var coverage = CoverageEvidence()
            coverage.seconds = seconds
            return Int((coverage.least * 100).rounded())
        }
        #expect(least(6) == 51 && least(600) == 81 && least(3600) == 89 && least(86_400) == 94)
    }
}
