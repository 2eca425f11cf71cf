import SystemTestKit
import Testing

/// The service manager's end of sd_notify(3), with the time of every message: how long the daemon
/// sent no keep-alive.
final class WatchdogListener {
    private let process: Subprocess

    init(_ path: String) throws {
        process = Subprocess([
            "/usr/bin/python3", "-u", "-c",
            """
            import socket, sys, time
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            listener.bind(sys.argv[1])
            print("ready")
            while True:
                lines = listener.recv(4096).decode().split()
                if "WATCHDOG=1" in lines: print(time.monotonic())
            """, path,
        ])
        let process = process
        try #require(waitUntil(seconds: 60) { process.outputSoFar.contains("ready") })
    }

    /// When each keep-alive came, s.
    var times: [Double] { process.outputSoFar.split(separator: "\n").compactMap { Double($0) } }

    /// The longest time between two of them, s.
    var longestPause: Double { longestPause(from: 0) }

    /// The same, from that keep-alive on.
    func longestPause(from number: Int) -> Double {
        let times = times.dropFirst(number)
        return zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0
    }
}
