import Foundation
import Glibc
import SystemTestKit
import Testing

// From the antenna to the daemon.

extension DaemonTests.BrokenBox {
    typealias Box = DaemonTests.BrokenBox

    static let receivers: [Box] = [
        Box("nothing is broken", "") { try $0.start() },
        Box("gpsd does not run", "gpsd-unreachable", "refused") { bench in
            try bench.start()
            bench.gpsd.kill()
            bench.sends = false
        },
        Box("gpsd has another port", "gpsd-unreachable", "a gpsd runs at port ") { bench in
            try bench.gpsd.start()
            bench.bench.source = "gpsd://127.0.0.1:\(try #require(freePort()))"
            try bench.bench.startAndWait()
        },
        Box("gpsd hangs", "gpsd-silent", "says nothing for 5 s") { bench in
            try bench.start()
            bench.gpsd.process?.signal(SIGSTOP)
            bench.sends = false
        },
        Box("something mute has the port of gpsd", "gpsd-silent") { bench in
            let listener = try #require(Listener())
            bench.keep(listener)
            bench.bench.source = "gpsd://127.0.0.1:\(listener.port)"
            bench.sends = false
            try bench.bench.startAndWait()
        },
        Box("a name that nobody knows", "gpsd-unresolved") { bench in
            bench.bench.source = "gpsd://gpsd.invalid"
            bench.sends = false
            try bench.bench.startAndWait()
        },
        Box("a gpsd that hangs has not taken those who came before", "gpsd-silent") { bench in
            let listener = try #require(Listener())
            bench.keep(listener)
            bench.bench.source = "gpsd://127.0.0.1:\(listener.port)"
            bench.sends = false
            try bench.bench.startAndWait()
            let crowd = try Crowd(at: listener.port)
            bench.keep(crowd)
        },
        Box("gpsd has two receivers", "several-receivers") { bench in
            let second = try Receiver()
            bench.second = second
            try bench.startGpsd(
                ["tcp://127.0.0.1:\(bench.receiver.port)", "tcp://127.0.0.1:\(second.port)"])
            bench.sends = true
            try bench.bench.startAndWait()
            try bench.drive { bench.bench.property("PositionState") == "\"known\"" }
        },
        // What is behind is corrected by gpsd and by geofenced.
        Box("the receiver counts weeks from the beginning before", "") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0 - 1024 * 604_800) }
            try bench.start()
        },
        Box("the receiver counts weeks from the next beginning", "receiver-date") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0 + 1024 * 604_800) }
            try bench.start()
        },
        Box("gpsd has no device", "no-receiver") { bench in
            let control = bench.bench.directory.file("gpsd.sock")
            try bench.startGpsd(["-F", control])
            try bench.bench.startAndWait()
        },
        Box("gpsd has another device", "other-receiver", "/dev/ttyS99 is wanted") { bench in
            bench.bench.source += "/dev/ttyS99"
            try bench.gpsd.start()
            try bench.drive { bench.receiver.isConnected }
            bench.sends = false
            try bench.bench.startAndWait()
        },
        Box("the receiver says nothing", "receiver-silent") { bench in
            try bench.gpsd.start()
            try bench.receiver.send([""])
            bench.sends = false
            try bench.bench.startAndWait()
        },
        Box("no fix", "no-fix", "4 satellites in view, 0 used") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0, hasFix: false) }
            try bench.gpsd.start()
            try bench.bench.startAndWait()
        },
        Box("a bad error", "error-too-large") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0, hdop: 20) }
            try bench.gpsd.start()
            try bench.bench.startAndWait()
        },
        Box("a large error", "error-large") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0, hdop: 3) }
            try bench.start()
        },
        Box("clocks that differ", "clock-differs", "1 h 00 min behind") { bench in
            bench.epoch = { DoctorBench.healthy(at: $0 - 3600) }
            try bench.start()
        },
        Box("no receiver at the line", "receiver-absent") { bench in
            bench.bench.source = "nmea:\(bench.bench.directory.file("missing"))"
            bench.sends = false
            try bench.bench.startAndWait()
        },
        Box("a recording", "recording") { bench in
            let track = bench.bench.directory.write(
                (0..<5).map { DoctorBench.healthy(at: 1_790_000_000 + Double($0)) }.joined(),
                to: "drive.nmea")
            bench.bench.source = "replay:\(track)?rate=0"
            bench.sends = false
            try bench.bench.startAndWait()
        },
    ]

    static let services: [Box] = [
        Box("the daemon does not run", "daemon-stopped") { try $0.gpsd.start() },
        Box("the daemon hangs", "daemon-silent") { bench in
            try bench.start()
            bench.bench.daemon?.signal(SIGSTOP)
        },
        Box("no bus", "no-bus") { bench in
            try bench.start()
            bench.address = "unix:path=\(bench.bench.directory.file("no-bus"))"
        },
        Box("no bus wanted", "bus-off") { bench in
            bench.configure("[Bus]\nBus=none\n")
            try bench.start()
        },
        Box("a wrong setting", "setting-invalid", "10-box.conf:2: Size") { bench in
            bench.configure("[Window]\nSize=many\n")
            try bench.start()
        },
        Box("a wrong source", "setting-invalid", "not a source") { bench in
            bench.configure("[Source]\nURI=gspd://localhost\n")
            bench.sends = false
        },
        Box("a port that cannot be", "setting-invalid", "no port: 99999") { bench in
            bench.configure("[Source]\nURI=gpsd://localhost:99999\n")
            bench.sends = false
        },
        Box("no state directory", "state-directory") { bench in
            try bench.start()
            try FileManager.default.moveItem(
                atPath: bench.bench.state, toPath: bench.bench.directory.file("elsewhere"))
        },
    ]

    static let refusals: [Box] = [
        refused("no-fix") { DoctorBench.healthy(at: $0, hasFix: $1 < 2) },
        refused("inaccurate") { DoctorBench.healthy(at: $0, hdop: $1 < 2 ? 1 : 20) },
        refused("implausible") { time, number in
            DoctorBench.healthy(at: time, latitude: number < 2 ? 48 : 48.3 + Double(number % 9))
        },
        refused("frozen") { DoctorBench.healthy(at: $0, speed: $1 < 2 ? 0 : 20) },
        // Two receivers, one of which is some seconds behind.
        refused("out-of-order") { time, number in
            DoctorBench.healthy(at: number < 2 ? time : time - 5 - 0.4 * Double(number))
        },
    ]

    /// A receiver without gpsd, most of whose epochs are refused for this reason. The others are
    /// made by cases: an epoch of NMEA is what has one time, and duplicates are two.
    /// - Parameter epoch: at a time, s, with its number.
    private static func refused(
        _ reason: String, epoch: @escaping @Sendable (Double, Int) -> String
    ) -> Box {
        Box("fixes are refused: \(reason)", "refused-\(reason)", "most of them \(reason)") {
            // All within the seconds that a clock may be behind.
            let began = Date().timeIntervalSince1970 - 8
            let epochs = (0..<32).map { epoch(began + 0.25 * Double($0), $0) }
            $0.sends = false
            $0.lineEpoch = epoch
            try $0.start(onLine: epochs, judged: 28)
        }
    }
}

/// So many connections to a port that those who come later are not answered.
private final class Crowd {
    private var descriptors: [Int32] = []

    init(at port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        for _ in 0..<32 {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = socket(AF_INET, type, 0)
            try #require(descriptor >= 0)
            descriptors.append(descriptor)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, size)
                }
            }
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
