/// `busctl monitor` on a private bus, in lines of JSON: a listener that shares no code with ours
/// but libsystemd.
@MainActor
package final class BusMonitor {
    package let program: Subprocess
    /// Of signals that only show that it listens.
    private static let probe = "org.example.Probe"

    /// Starts it for one rule of D-Bus and waits until it listens; nil if it never does.
    package init?(_ bus: PrivateBus, _ rule: String) {
        let program = bus.busctl(
            "--json=short", "monitor", "--match=\(rule)",
            "--match=type='signal',interface='\(Self.probe)'")
        self.program = program
        // busctl of systemd 257 does not say that it listens when it prints JSON.
        let listens = waitUntil(seconds: 60) {
            _ = bus.busctl("emit", "/", Self.probe, "Probe").wait()
            return program.outputSoFar.contains(Self.probe)
        }
        guard listens else { return nil }
    }

    /// The messages so far, a line of JSON each.
    package var lines: [Substring] {
        program.outputSoFar.split(separator: "\n").filter { !$0.contains(Self.probe) }
    }
}
