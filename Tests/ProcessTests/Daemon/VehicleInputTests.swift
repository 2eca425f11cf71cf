import Glibc
import SystemTestKit
import Systemd
import Testing

extension DaemonTests {
    /// A program on the bus that knows the vehicle, and the real daemon.
    @MainActor
    @Suite("and what the vehicle says on the bus", .serialized)
    struct VehicleInputTests {
        private let bench: DaemonBench
        private let loop: EventLoop

        private static let name = "org.example.Can"
        private static let signal =
            "sender=\(name) path=/can interface=org.example.Can1 member=Said"

        init() throws {
            bench = try DaemonBench()
            loop = try EventLoop()
        }

        /// The program starts.
        private func gateway() throws -> BusConnection {
            let connection = try #require(bench.bus).connect(loop)
            var outcome: BusNameOutcome?
            try connection.requestName(Self.name) { outcome = try? $0.get() }
            try #require(try loop.run { outcome == .owned })
            return connection
        }

        /// Says it again and again, as a gateway does, until the condition holds.
        private func say(
            _ isOn: Bool, _ gateway: BusConnection, until condition: () throws -> Bool
        ) throws -> Bool {
            let signal = BusSignal(path: "/can", interface: "org.example.Can1", member: "Said")
            return try loop.run(seconds: 20) {
                _ = try? gateway.emit(signal, [.bool(isOn)])
                return (try? condition()) ?? false
            }
        }

        private var ignition: String? { bench.property("Ignition") }

        @Test("a signal is the ignition; without its sender it is unknown, and nothing is disarmed")
        func ignitionSignal() throws {
            bench.directory.write(
                "[Parking]\nIgnitionSignal=\(Self.signal)\n", to: "geofenced.conf")
            try bench.startAndWait()
            #expect(ignition == #""unknown""#)
            let first = try gateway()
            #expect(try say(true, first) { ignition == #""on""# })
            #expect(try say(false, first) { ignition == #""off""# })
            bench.kill()
            bench.start()
            #expect(try loop.run(seconds: 60) { ignition == #""unknown""# }, "it may be on by now")
            #expect(try say(false, first) { ignition == #""off""# })
            first.close()
            #expect(try loop.run(seconds: 20) { ignition == #""unknown""# })
            #expect(!bench.said("no ignition: \(Self.name) is not on the bus").isEmpty)
            #expect(try bench.tool("ignition", "on").status == 0)
            #expect(ignition == #""on""#, "the last word counts")
            // Without the setting what was last set counts.
            let second = try gateway()
            #expect(try say(false, second) { ignition == #""off""# })
            second.close()
            #expect(try loop.run(seconds: 20) { ignition == #""unknown""# })
            bench.directory.write("", to: "geofenced.conf")
            bench.daemon?.signal(SIGHUP)
            #expect(try loop.run(seconds: 20) { ignition == #""off""# })
            #expect(try bench.stop().status == 0)
        }

        @Test("a GPIO line beside a signal, and one that is not there, are named")
        func contradiction() throws {
            bench.directory.write(
                "[Parking]\nIgnitionSignal=\(Self.signal)\nIgnitionGPIO=gpiochip9999:1\n",
                to: "geofenced.conf")
            let check = Subprocess([
                builtProgram("geofenced"), "--check", "--config", bench.configuration,
            ])
            let ending = try #require(check.wait())
            #expect(ending.status == 1)
            #expect(
                ending.errors.contains(
                    "geofenced.conf:3: IgnitionGPIO: gpiochip9999:1: IgnitionSignal= is set too"))
            bench.directory.write("[Parking]\nIgnitionGPIO=gpiochip9999:1\n", to: "geofenced.conf")
            try bench.startAndWait()
            #expect(
                waitUntil {
                    !bench.said(
                        "no ignition: opening /dev/gpiochip9999: No such file or directory"
                    ).isEmpty
                })
            #expect(ignition == #""unknown""#)
            #expect(try bench.stop().status == 0)
        }

        @Test("a signal of motion wakes a receiver that sleeps, for a look")
        func motion() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            try gpsd.start()
            bench.source = gpsd.uri
            bench.directory.write(
                "[Parking]\nRestAfterSec=1s\nLookSec=1d\nMotionSignal=\(Self.signal)\n",
                to: "geofenced.conf")
            try bench.startAndWait()
            let gateway = try gateway()
            #expect(try bench.tool("ignition", "off").status == 0)
            var fix: String? { bench.property("LastFixTimestamp") }
            func parks(until condition: () throws -> Bool) throws -> Bool {
                try waitUntil(seconds: 60) {
                    if try condition() { return true }
                    try receiver.send([epoch(latitude: 48)])
                    return false
                }
            }
            #expect(try parks { bench.property("Resting") == "true" })
            let before = try #require(fix)
            // gpsd has closed the receiver, or closes it now.
            receiver.hangUp()
            #expect(try say(false, gateway) { true })
            #expect(try say(true, gateway) { !isAsleep })
            #expect(try parks { fix != before })
            #expect(try parks { bench.property("Resting") == "true" }, "and it sleeps again")
            #expect(try bench.stop().status == 0)
            gpsd.kill()
        }

        @Test("a parked vehicle whose gpsd is dead or hangs says so, until a look reaches it")
        func unreachable() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            try gpsd.start()
            bench.source = gpsd.uri
            bench.directory.write(
                "[Parking]\nRestAfterSec=1s\nLookSec=10s\n", to: "geofenced.conf")
            try bench.startAndWait()
            #expect(try bench.tool("ignition", "off").status == 0)
            var isBlind: Bool {
                // It takes a while: not more often than ten times a second.
                usleep(100_000)
                return bench.property("Degraded")?.contains("source") == true
            }
            func parks(until condition: () throws -> Bool) throws -> Bool {
                try waitUntil(seconds: 120) {
                    if try condition() { return true }
                    // Without a client gpsd may have closed the receiver.
                    if receiver.isConnected || !isAsleep {
                        try receiver.send([epoch(latitude: 48)])
                    }
                    return false
                }
            }
            #expect(try parks { bench.property("Resting") == "true" })
            #expect(!isBlind)
            receiver.hangUp()
            gpsd.kill()
            #expect(waitUntil(seconds: 60) { isBlind }, "\(bench.errors)")
            #expect(bench.property("Resting") == "true")
            #expect(try bench.tool("status").output.contains("degraded: source"))
            try gpsd.start()
            #expect(try parks { !isBlind }, "\(bench.errors)")
            // Two looks that are well say nothing.
            for _ in 1...2 {
                let before = try #require(bench.property("LastFixTimestamp"))
                #expect(try parks { bench.property("LastFixTimestamp") != before && isAsleep })
            }
            #expect(bench.said("fixes come from").count == 2, "\(bench.errors)")
            gpsd.process?.signal(SIGSTOP)
            #expect(waitUntil(seconds: 120) { isBlind }, "\(bench.errors)")
            gpsd.process?.signal(SIGCONT)
            #expect(try parks { !isBlind }, "\(bench.errors)")
            #expect(bench.property("Resting") == "true")
            #expect(try bench.stop().status == 0)
            gpsd.kill()
        }

        // MARK: Wheels

        private static let can = "org.geofenced.Can1"

        private func tell(
            _ gateway: BusConnection, _ speed: Double, standing: Bool, odometer: Double? = nil
        ) {
            var fields = [
                BusOption("speed_mps", .double(speed)), BusOption("standing", .bool(standing)),
            ]
            if let odometer {
                fields.append(BusOption("odometer_m", .double(odometer)))
                fields.append(BusOption("odometer_source", .string("65217/EE")))
            }
            let signal = BusSignal(
                path: "/org/geofenced/Can1", interface: Self.can, member: "VehicleMotion")
            _ = try? gateway.emit(signal, [.options(fields)])
        }

        private func wheels(
            are state: String, telling: () -> Void = {}
        ) throws -> Bool {
            try loop.run(seconds: 20) {
                telling()
                return bench.property("Wheels") == "\"\(state)\""
            }
        }

        @Test(
            "wheels are those of who has the name; a stranger is not believed, nor what cannot be")
        func wheels() throws {
            bench.directory.write("[Vehicle]\nWheels=yes\n", to: "geofenced.conf")
            try bench.startAndWait()
            let stranger = try #require(bench.bus).connect(loop)
            // The same words as those of the owner, for a while.
            _ = try loop.run(seconds: 1) {
                tell(stranger, 20, standing: false)
                return false
            }
            #expect(bench.property("Wheels") == "\"none\"")
            let owner = try #require(bench.bus).connect(loop)
            var outcome: BusNameOutcome?
            try owner.requestName(Self.can) { outcome = try? $0.get() }
            try #require(try loop.run { outcome == .owned })
            #expect(try wheels(are: "moving") { tell(owner, 20, standing: false) })
            #expect(try wheels(are: "standing") { tell(owner, 0, standing: true) })
            _ = try loop.run(seconds: 1) {
                tell(stranger, 20, standing: false)
                tell(owner, 0, standing: true)
                return false
            }
            #expect(bench.property("Wheels") == "\"standing\"")
            #expect(
                try loop.run(seconds: 20) {
                    tell(owner, .nan, standing: false)
                    tell(owner, -1, standing: false)
                    tell(owner, 20, standing: true)
                    let counters = bench.property("WheelCounters") ?? ""
                    return !counters.contains("\"not-finite\":0")
                        && !counters.contains("\"out-of-range\":0")
                })
            #expect(!bench.said("a motion of the wheels is refused: not-finite").isEmpty)
            #expect(try wheels(are: "silent"), "after three seconds")
            #expect(try wheels(are: "moving") { tell(owner, 20, standing: false) })
            owner.close()
            #expect(try wheels(are: "silent"), "the owner is not on the bus")
            #expect(
                try waitUntil {
                    try bench.tool("status").output.contains("wheels    silent")
                })
            #expect(try bench.stop().status == 0)
        }

        @Test("the odometer follows that of the vehicle, and goes on from there without it")
        func odometer() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            try gpsd.start()
            bench.source = gpsd.uri
            bench.directory.write("[Vehicle]\nWheels=yes\n", to: "geofenced.conf")
            try bench.startAndWait()
            let owner = try #require(bench.bus).connect(loop)
            var outcome: BusNameOutcome?
            try owner.requestName(Self.can) { outcome = try? $0.get() }
            try #require(try loop.run { outcome == .owned })
            var shown: Double { bench.property("Odometer").flatMap(Double.init) ?? 0 }
            func drives(_ odometer: Double, until condition: () -> Bool) throws -> Bool {
                try loop.run(seconds: 30) {
                    tell(owner, 5, standing: false, odometer: odometer)
                    try? receiver.send([epoch(latitude: 48)])
                    return condition()
                }
            }
            #expect(
                try drives(345_678_000) {
                    bench.property("VehicleOdometer").flatMap(Double.init) == 345_678_000
                        && shown > 0
                }, "between two words it goes on at the speed")
            let before = shown
            #expect(try drives(345_678_100) { shown > before + 80 })
            #expect(shown < before + 200, "and not by the 345 thousand kilometres")
            let after = shown
            bench.kill()
            bench.start()
            #expect(
                try loop.run(seconds: 60) {
                    bench.property("Odometer").flatMap(Double.init) != nil
                })
            #expect(shown >= after - 0.1)
            #expect(try bench.stop().status == 0)
            gpsd.kill()
        }

        /// Whether the daemon has no connection to gpsd.
        private var isAsleep: Bool {
            guard let pid = bench.daemon?.pid else { return true }
            let found = Subprocess(["ss", "-Htnp", "state", "established"]).wait()
            return found?.output.contains("pid=\(pid),") != true
        }
    }
}
