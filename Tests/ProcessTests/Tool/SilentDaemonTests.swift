import SystemTestKit
import Testing

@MainActor
@Suite("A daemon that has its name and does not answer")
struct SilentDaemonTests {
    @Test("no verb waits for it as long as for a user, and each says so")
    func silent() throws {
        // It answers while its loop runs, and nobody runs that here.
        let daemon = try ServedDaemon()
        daemon.directory.write("id,lat,lon,radius\na,1,2,3\n", to: "fences.csv")
        let runs = [
            ["status"], ["list"], ["show", "a"], ["window"], ["events"], ["report"], ["export"],
            ["add", "a", "--circle", "1,2,50"], ["remove", "a"], ["remove", "--origin", "bus"],
            ["import", daemon.directory.file("fences.csv")], ["vehicle", "show"],
            ["vehicle", "set", "--height", "4m"], ["ignition", "on"], ["consumer", "list"],
            ["beacon", "list"], ["beacon", "here", "a"], ["accept-loss"], ["driver", "show"],
            ["driver", "set", "a"], ["driver", "forget", "a"],
        ].map { verb in
            (verb, Subprocess([builtProgram("geofencectl"), "--bus", daemon.bus.address] + verb))
        }
        for (verb, run) in runs {
            let ending = try #require(run.wait(seconds: 60), "\(verb)")
            #expect(
                ending.status == 1 && ending.errors.contains("geofenced does not answer"),
                "\(verb) \(ending)")
        }
    }
}
