import EngineTestKit
import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// gpsd's output with other bytes around it, or in other chunks: the events must be those of
    /// the reports alone.
    @MainActor
    @Suite("faults: bytes from gpsd")
    struct GpsdWireFaults {
        enum Damage: String, CaseIterable, CustomTestStringConvertible {
            case dribbled = "200 reports a byte at a time"
            case noise = "noise of up to 2000 bytes before every tenth report"
            case invalidText = "copies of every tenth report with bytes that are no UTF-8"
            case zeros = "copies of every tenth report with a NUL somewhere"
            case hugeNumbers = "numbers of any size before every tenth report"
            case endless = "two lines of 48 MB each"
            case cut = "half a report and the end of the connection, every 350 reports"

            var testDescription: String { rawValue }
        }

        @Test("the events are those without the damage", arguments: Damage.allCases)
        func damaged(_ damage: Damage) throws {
            let base = try DriveBench(upTo: FaultScope.isWhole ? .max : 750)
            let (drive, bench, gpsd) = (base.drive, base.bench, base.gpsd)
            try bench.startAndWait()
            try gpsd.accept()
            let before = try memory(of: #require(bench.daemon))
            try say(drive, to: gpsd, damage)
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            expectSame(try bench.events(), try drive.oracle())
            // The state of the drive needs some memory, the data received none.
            let after = try memory(of: #require(bench.daemon))
            #expect(
                isMemorySanitized || after - before < 7000, "\(before) kB before, \(after) kB after"
            )
            #expect(bench.property("State") == "\"running\"")
            #expect(try bench.stop().status == 0)
        }

        private func say(
            _ drive: RecordedDrive, to gpsd: GpsdStandIn, _ damage: Damage
        ) throws {
            var random = SeededRandom(seed: 20_261_120)
            try gpsd.say(drive.lines) { number in
                let line = drive.lines[number]
                switch damage {
                case .dribbled:
                    guard (300..<500).contains(number) else { return }
                    // Repeated: the same epoch again has no effect.
                    gpsd.send(Array(line.utf8) + [0x0A], inPiecesOf: 1)
                case .noise where number % 10 == 9:
                    let noise = (0..<Int.random(in: 1...2000, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    gpsd.send(noise + [0x0A])
                case .invalidText where number % 10 == 9:
                    var bytes = Array(line.utf8)
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes.replaceSubrange(place..<place + 1, with: [0xC3, 0x28, 0xFF, 0xED, 0xA0])
                    gpsd.send(bytes + [0x0A])
                case .zeros where number % 10 == 9:
                    var bytes = Array(line.utf8)
                    // In the digits of the position, if it has one: truncated it is another
                    // position.
                    let latitude =
                        line.utf8.count
                        - (line.range(of: "\"lat\":").map {
                            line[$0.upperBound...].utf8.count
                        } ?? 0)
                    let place = min(
                        bytes.count - 1, latitude + Int.random(in: 0..<6, using: &random))
                    bytes[place] = 0
                    gpsd.send(bytes + [0x0A])
                case .hugeNumbers where number % 10 == 9:
                    gpsd.say(Self.odd(line, number / 10))
                case .endless where number == 300 || number == 600:
                    let portion = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
                    gpsd.send(Array(#"{"class":"TPV","mode":3,"lat":4"#.utf8))
                    for _ in 0..<48 { gpsd.send(portion) }
                    gpsd.send([0x0A])
                case .cut where number % 350 == 349:
                    gpsd.send(Array(line.utf8.prefix(line.utf8.count / 2)))
                    gpsd.hangUp()
                    try gpsd.accept()
                default: break
                }
            }
        }

        /// The report as no receiver sends it.
        private static func odd(_ line: String, _ number: Int) -> String {
            let huge = [
                "1e999", "-1e308", String(repeating: "9", count: 400), "NaN", "-Infinity", "null",
                "1e-999", "0x1p2000", "\"49\"", "[49]", "{}", "",
            ]
            let value = huge[number % huge.count]
            let keys = ["lat", "lon", "time", "mode"]
            let key = keys[number / huge.count % keys.count]
            guard let range = line.range(of: "\"\(key)\":[^,}]*", options: .regularExpression)
            else {
                return line
            }
            return line.replacingCharacters(in: range, with: "\"\(key)\":\(value)")
        }
    }
}
