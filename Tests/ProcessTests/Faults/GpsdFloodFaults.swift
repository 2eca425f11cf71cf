import EngineTestKit
import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// A server in place of gpsd that sends as much about itself as it can: little of it reaches
    /// the log and the bus, and everything of the drive does.
    @MainActor
    @Suite("faults: floods from gpsd")
    struct GpsdFloodFaults {
        enum Flood: String, CaseIterable, CustomTestStringConvertible {
            case names = "another name with every line"
            case devices = "a receiver that comes and goes with every line"
            case nameless = "the same from a server that does not greet"
            case both = "names, receivers and positions in turn"
            case escapes = "text that a terminal would obey"

            var testDescription: String { rawValue }

            func lines(_ number: Int) -> [String] {
                func device(_ activated: Int) -> String {
                    #"{"class":"DEVICE","path":"/dev/a","activated":\#(activated)}"#
                }
                let name = #"{"class":"VERSION","release":"\#(number)"}"#
                switch self {
                case .names: return [name]
                case .devices, .nameless: return [device(0), device(1)]
                case .both: return [name, device(0), device(1), #"{"class":"TPV","mode":1}"#]
                case .escapes:
                    return [
                        #"{"class":"VERSION","release":"\u001b]0;\#(number)\u0007\n<0>x\u009b2J"}"#,
                        #"{"class":"DEVICE","path":"\u001b[2J\#(number)","activated":0}"#,
                    ]
                }
            }
        }

        @Test("every crossing is reported, and little else", arguments: Flood.allCases)
        func flooded(_ flood: Flood) throws {
            let base = try DriveBench(upTo: FaultScope.isWhole ? .max : 400)
            let (drive, bench, gpsd) = (base.drive, base.bench, base.gpsd)
            try bench.startAndWait()
            let bus = try #require(bench.bus)
            let monitor = try #require(
                BusMonitor(
                    bus,
                    "type='signal',interface='org.freedesktop.DBus.Properties',"
                        + "path='/org/geofenced/Geofence1'"))
            try gpsd.accept(greets: flood != .nameless)
            gpsd.say(drive.lines) { number in
                for turn in 0..<60 { gpsd.say(flood.lines(number * 60 + turn)) }
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let events = try bench.events()
            expectSame(events, try drive.oracle())
            let log = bench.errors
            #expect(log.split(separator: "\n").count < 60, "\(log)")
            #expect(log.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A })
            #expect(!log.unicodeScalars.contains("\u{9B}"))
            #expect(log.split(separator: "\n").allSatisfy { $0.utf8.count < 600 })
            // The last report is true, though late.
            if flood != .escapes {
                gpsd.say(#"{"class":"TPV","mode":1}"#)
                #expect(waitUntil(seconds: 20) { bench.property("Degraded") == "0" })
            }
            monitor.program.signal(SIGTERM)
            _ = monitor.program.wait()
            let degraded = monitor.lines.count { $0.contains("Degraded") }
            #expect(degraded < 30, "\(degraded) changes of Degraded")
            #expect(try bench.stop().status == 0)
        }

        @Test("a refusal in the middle of a portion, and more than a line can hold on the next one")
        func refused() throws {
            let bench = try DaemonBench(withBus: false)
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            try bench.startAndWait()
            for size in [20_000, 16_300, 5000] {
                try gpsd.accept(greets: false)
                gpsd.say(
                    #"{"class":"ERROR","message":""# + String(repeating: "x", count: size) + #""}"#)
                gpsd.say(#"{"class":"ERROR","message":"no"}"#)
                gpsd.hangUp()
                try gpsd.accept(greets: false)
                gpsd.send([UInt8](repeating: UInt8(ascii: "y"), count: 20_100))
                gpsd.hangUp()
            }
            #expect(!bench.hasEnded)
            #expect(try bench.stop().status == 0)
        }
    }
}
