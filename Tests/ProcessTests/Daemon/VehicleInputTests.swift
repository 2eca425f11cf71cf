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

        /// Whether the daemon has no connection to gpsd.
        private var isAsleep: Bool {
            guard let pid = bench.daemon?.pid else { return true }
            let found = Subprocess(["ss", "-Htnp", "state", "established"]).wait()
            return found?.output.contains("pid=\(pid),") != true
        }
    }
}
