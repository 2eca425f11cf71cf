import Glibc
package import Program
package import Systemd

/// What a program that serves has around its work: the loop, the signals that end it, the watchdog,
/// and the service manager, which is notified.
@MainActor
package final class Service {
    /// The only one of the program.
    package let loop: EventLoop
    /// Notified when the program is ready, and of what it does.
    package let manager: ServiceManager
    /// Of the program.
    package let log: Log
    /// Nil where the service manager wants none. Fed as long as the loop turns.
    package let watchdog: Watchdog?
    private var signals: [SignalSource] = []

    /// What a signal does that ends the program, after the service manager was notified. It ends the
    /// loop, at once where there is nothing to finish.
    package var onStop: () -> Void

    /// To be made before any other thread starts: a signal is blocked in those that start later.
    /// - Parameter signals: those that end the program, see ``end(on:)``.
    package init(
        _ log: Log, endedBy signals: [Int32] = [SIGTERM, SIGINT]
    ) throws(SystemError) {
        self.log = log
        let loop = try EventLoop()
        self.loop = loop
        manager = try ServiceManager()
        watchdog = try Watchdog(loop, manager)
        onStop = { loop.exit() }
        try end(on: signals)
    }

    /// From now on these signals end the program in order.
    package func end(on numbers: [Int32]) throws(SystemError) {
        for number in numbers { try on(number) { [weak self] in self?.stop() } }
    }

    /// From now on this signal is handled in the loop.
    package func on(_ number: Int32, _ handler: @escaping @MainActor () -> Void) throws(SystemError)
    {
        signals.append(try SignalSource(loop, number, handler: handler))
    }

    /// The loop, until something ends it.
    package func run() throws(SystemError) -> ExitStatus { ExitStatus(Int32(try loop.run())) }

    /// An orderly end.
    package func stop() {
        manager.stopping()
        onStop()
    }

    /// The program cannot go on; the service manager starts it again.
    package func fail(_ why: String) {
        log.write(.error, why)
        loop.exit(code: UInt8(ExitStatus.failed.code))
    }
}
