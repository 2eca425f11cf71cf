import Geodesy
import Model
import Testing

@testable import FixSources

@Suite("NMEA noise")
struct NmeaNoiseTests {
    @Test(
        "random bytes and mutated logs never crash, and chunking makes no difference",
        arguments: 0..<20)
    func noise(_ seed: Int) throws {
        var random = Splitmix(state: UInt64(seed))
        var bytes = try data(
            "gpsd/\(["mtk-3301", "foretrex-201", "sl869", "beidou-bd"][seed % 4]).log.gz")
        for _ in 0..<(seed * 20) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default:
                let end = min(bytes.count, place + Int.random(in: 1..<200, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        let whole = reports(bytes)
        // A second pass in bursts, with the checks that a live source makes at the end of each.
        var assembler = NmeaAssembler()
        var rest = bytes[...]
        var count = 0
        while !rest.isEmpty {
            let burst = rest.prefix(Int.random(in: 1...400, using: &random))
            rest = rest.dropFirst(burst.count)
            count += burst.count(where: { assembler.feed($0) != nil })
        }
        count += assembler.finish().count
        #expect(count == whole.count)
        for report in whole {
            #expect(report.coordinate?.latitude.isFinite ?? true)
            #expect(report.error?.isFinite ?? true)
        }
    }

    @Test("fields of all kinds of nonsense under a right checksum never crash", arguments: 0..<50)
    func fields(_ seed: Int) {
        var random = Splitmix(state: UInt64(seed) &* 977)
        let words = [
            "", "-", ".", "99999999999999999999", "1e400", "-0", "235959",
            "000000.9999999999999999",
            "9999.9999", "18000.0", "N", "S", "E", "W", "A", "V", "D", "311299", "290200", "9",
        ]
        let kinds = ["RMC", "GGA", "GNS", "GLL", "VTG", "GST", "ZDA", "GSA"]
        var text = ""
        for _ in 0..<400 {
            let fields = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }
            let kind = kinds.randomElement(using: &random) ?? ""
            text += nmea((["GP" + kind] + fields).joined(separator: ","))
        }
        for dates in [
            ReceiverSettings.Dates.recorded(givesDate: true), .recorded(givesDate: false),
            .live(floor: utc("2026-01-01T00:00:00Z")),
        ] {
            let all = reports(text, dates: dates, now: utc("2026-01-01T00:00:00Z"))
            #expect(all.allSatisfy { $0.hasFix == ($0.coordinate != nil) })
        }
    }
}
