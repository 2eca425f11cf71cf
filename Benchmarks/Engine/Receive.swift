import FixSources
import Geodesy
import Model
import Systemd
import Time

/// The cost of receiving and parsing a TPV: the daemon's own source on its own loop, without the
/// rest of the daemon. Processor time is counted from the first report on.
@MainActor
func receive(port: String, _ options: Options) throws {
    let wanted = options.number("count", otherwise: 10_000)
    let loop = try EventLoop()
    var received = 0
    var watch = Stopwatch()
    var sum = 0.0
    let handlers = FixSourceHandlers(
        reports: { reports in
            for arrived in reports {
                if received == 0 { watch = Stopwatch() }
                received += 1
                sum += arrived.report.coordinate?.latitude ?? 0
                if received == wanted { loop.exit() }
            }
        },
        state: {
            // The feeder has closed the connection: everything has arrived.
            if case .waiting = $0 { loop.exit() }
        })
    let source = try FixSourceURI("gpsd://127.0.0.1:\(port)").source(on: loop, handlers)
    source.start()
    _ = try loop.run()
    source.stop()
    let seconds = watch.processorSeconds
    say("tpv", received)
    say("tpv_per_s", Double(received) / watch.seconds)
    say("client_us_cpu_per_tpv", seconds / Double(received) * 1e6)
    say("sum", sum)
}
