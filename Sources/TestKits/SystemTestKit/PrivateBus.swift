import Glibc
package import Systemd

/// A dbus-daemon for one test: a socket in its own directory; everything is allowed unless a policy
/// is given.
@MainActor
package final class PrivateBus {
    package let directory = TemporaryDirectory()
    /// For ``BusAddress/address(_:)`` and for `busctl --address=`.
    package let address: String
    private let services: String?
    /// The daemon, nil while it is stopped.
    package private(set) var daemon: Subprocess?

    /// `policy` is the inside of `<policy context="default">`; `services`, a directory of D-Bus
    /// activation files.
    package init(
        policy: String = """
        <allow user="*"/><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/>
        """,
        services: String? = nil
    ) {
        address = "unix:path=\(directory.file("bus"))"
        self.services = services
        writeConfiguration(policy)
        start()
    }

    /// Replaces the policy from now on.
    package func setPolicy(_ policy: String) {
        writeConfiguration(policy)
        daemon?.signal(SIGHUP)
    }

    private func writeConfiguration(_ policy: String) {
        let serviceDirectory = services.map { "<servicedir>\($0)</servicedir>" } ?? ""
        directory.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              \(serviceDirectory)
              <policy context="default">\(policy)</policy>
            </busconfig>
            """, to: "bus.conf")
    }

    package var busAddress: BusAddress { .address(address) }

    /// Starts the daemon and waits until it listens.
    package func start() {
        unlink(directory.file("bus"))
        let daemon = Subprocess([
            "dbus-daemon", "--nofork", "--nopidfile", "--print-address",
            "--config-file=\(directory.file("bus.conf"))",
        ])
        self.daemon = daemon
        guard waitUntil({ daemon.outputSoFar.contains("\n") || daemon.hasEnded }),
            !daemon.hasEnded
        else { fatalError("dbus-daemon does not start: \(daemon.errorsSoFar)") }
    }

    /// Kills the daemon: every connection is lost.
    package func kill() {
        daemon?.signal(SIGKILL)
        _ = daemon?.wait()
        daemon = nil
    }

    /// Starts `busctl` on this bus: a client that shares no code with ours but libsystemd.
    package func busctl(_ arguments: String...) -> Subprocess {
        Subprocess(["busctl", "--address=\(address)"] + arguments)
    }

    /// A connection that is ready.
    package func connect(
        _ loop: EventLoop, disconnected: (@MainActor () -> Void)? = nil
    ) throws -> BusConnection {
        let connection = try BusConnection(
            to: busAddress, loop: loop, disconnected: disconnected)
        guard try loop.run(until: { connection.uniqueName != nil }) else {
            throw SystemError(operation: "connecting to the private bus", errno: ETIMEDOUT)
        }
        return connection
    }

    /// Another program sends these signals directly to every connection, as the bus permits. All
    /// that others say from now on arrives after them.
    package func forge(_ loop: EventLoop, _ signals: (BusSignal, [BusValue])...) throws {
        let stranger = try connect(loop)
        var names: [String]?
        try stranger.call(.bus, "ListNames") {
            names = (try? $0.get().values())?.first?.asStrings
        }
        _ = try loop.run(until: { names != nil })
        for name in names ?? [] where name.hasPrefix(":") {
            for (signal, arguments) in signals {
                try stranger.emit(signal, arguments, to: name)
            }
        }
        var isDone = false
        try stranger.call(.bus, "GetId") { _ in isDone = true }
        guard try loop.run(until: { isDone }), names != nil else {
            throw SystemError(operation: "sending signals to everybody", errno: ETIMEDOUT)
        }
    }
}
