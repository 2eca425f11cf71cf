import EngineTestKit
import FixSources
import Foundation
import Geodesy
import JSON
import Model
import SystemTestKit
import Testing
import Time

// Of arm64 glibc has one version: a processor would be compared with itself.
#if arch(x86_64)
    private let hasTwoVersions = true
#else
    private let hasTwoVersions = false
#endif

/// glibc has two versions of most functions of mathematics, and on a processor without FMA (an Atom,
/// a plain virtual machine) takes the one whose last bits are others; so are those of arm64 from
/// neither. Here glibc is told that this processor has no FMA.
@Suite("processors whose last bits differ", .enabled(if: hasTwoVersions, "for x86_64"))
struct ProcessorTests {
    private static let withoutFMA = ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX"]

    private func replay(
        _ track: String, fences: String, environment: [String: String?]
    ) throws -> Subprocess.Ending {
        let run = Subprocess(
            [builtProgram("geofencectl"), "replay", track, "--fences", fences, "--json"],
            environment: environment)
        return try #require(run.wait(seconds: 120))
    }

    /// Without this the others would compare a processor with itself.
    @Test("last bits of sines differ without FMA, on a processor that has it")
    func lastBits() throws {
        let script = """
            import math, struct, zlib
            bits = 0
            for number in range(20000):
                x = (number * 2654435761 % 4294967296) / 4294967296 * 6.25 - 3.125
                for f in (math.sin, math.cos, math.tan, math.atan, math.exp):
                    bits = zlib.crc32(struct.pack("<d", f(x)), bits)
            print(bits)
            """
        func bits(_ environment: [String: String?]) throws -> String {
            let run = Subprocess(["python3", "-c", script], environment: environment)
            let ending = try #require(run.wait())
            try #require(ending.status == 0, "\(ending.errors)")
            return ending.output
        }
        let flags = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
            .split(whereSeparator: \.isWhitespace)
        let hasFMA = flags.contains("fma") && flags.contains("avx2")
        #expect((try bits([:]) != bits(Self.withoutFMA)) == hasFMA)
    }

    @Test("without FMA a recorded drive gives the reviewed bytes", arguments: Trace.all)
    func golden(_ trace: Trace) throws {
        let ending = try replay(
            trace.track, fences: trace.fences, environment: Self.withoutFMA)
        #expect(ending.output == (try String(contentsOfFile: trace.expectation, encoding: .utf8)))
    }

    /// What may differ in an event is its last printed digit, where the value lies between two.
    @Test(
        "without FMA no event differs among hundreds of fences on the way",
        // One has no fix; of the other the squares below would have to be cut at ±180°.
        arguments: Sample.of(
            Trace.all.filter {
                !["silvretta-void-rmc", "antimeridian-drive"].contains($0.name)
            }))
    func scattered(_ trace: Trace) throws {
        let directory = TemporaryDirectory()
        let fences = directory.write(try scatteredFences(along: trace), to: "fences.geojson")
        let here = try replay(trace.track, fences: fences, environment: [:])
        let there = try replay(trace.track, fences: fences, environment: Self.withoutFMA)
        #expect(here.status == 0 && there.status == 0, "\(here.errors) \(there.errors)")
        let (ones, others) = (try events(here.output), try events(there.output))
        #expect(ones.count == others.count && ones.count >= 20)
        for (one, other) in zip(ones, others) {
            for field in ["kind", "fence", "reason", "presence", "inferred"] {
                #expect(one[field] == other[field], "\(one) \(other)")
            }
            let times = [one, other].compactMap { $0["time"]?.string.flatMap(UTCTime.init) }
            try #require(times.count == 2)
            #expect(abs((times[1] - times[0]).seconds) < 0.0015, "\(one) \(other)")
        }
    }

    /// 400 circles and squares of the size of a yard to that of a town, seeded by the trace's name.
    private func scatteredFences(along trace: Trace) throws -> String {
        let reader = try TrackReader(path: trace.track)
        var places: [Coordinate] = []
        while let report = try reader.next() {
            if report.hasFix, let place = report.coordinate { places.append(place) }
        }
        try #require(!places.isEmpty)
        var random = SeededRandom(seed: trace.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let features = (0..<400).map { number in
            let place = places[Int.random(in: 0..<places.count, using: &random)]
            let size = Double.random(in: 0.0002...0.02, using: &random)
            let latitude = place.latitude + Double.random(in: -size...size, using: &random)
            let longitude = place.longitude + Double.random(in: -size...size, using: &random)
            let geometry: String
            var properties = #""initial_enter":true"#
            if number % 2 == 0 {
                properties += #","radius":\#((size * 90_000).rounded())"#
                geometry = #""Point","coordinates":[\#(longitude),\#(latitude)]"#
            } else {
                let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)].map { corner in
                    "[\(longitude + size * Double(corner.0)),\(latitude + size * Double(corner.1))]"
                }
                geometry = #""Polygon","coordinates":[[\#(corners.joined(separator: ","))]]"#
            }
            return #"{"type":"Feature","id":"\#(number)","geometry":{"type":\#(geometry)},"#
                + #""properties":{\#(properties)}}"#
        }
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    private func events(_ lines: String) throws -> [JSONValue] {
        try lines.split(whereSeparator: \.isNewline).map { try JSONValue(parsing: String($0)) }
            .filter { $0["kind"] != nil }
    }
}
