import JSON
import Model
import Monitoring
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct VehicleVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    @Test("what was set is shown, with both units of the height")
    func show() throws {
        let unset = try daemon.run("vehicle", "show")
        #expect(unset.output == "height    not set, 4.20 m is assumed\n", "\(unset.errors)")
        let set = try daemon.run(
            "vehicle", "set", "--height", "13'3\"", "--weight=7500kg", "--length", "12 m")
        #expect(set.status == 0, "\(set.errors)")
        let lines = set.output.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(3) == [
                "height    4.05 m (13'3\")", "length    12.00 m", "weight    7.5 t",
            ])
        #expect(lines.last?.hasPrefix("confirmed yes") == true)
        #expect(daemon.monitoring.vehicle.height == 13 * 0.3048 + 3 * 0.0254)
        let json = try #require(try daemon.json("vehicle", "show").first)
        #expect(json["weight_t"]?.double == 7.5 && json["width_m"] == .null)
        #expect(json["certainty"]?.string == "confirmed" && json["profiles"]?.array == [])
    }

    @Test("a program's lower height waits for the driver, and status says so")
    func unconfirmed() throws {
        _ = try daemon.run("vehicle", "set", "--height", "4m")
        let lower = try daemon.run("vehicle", "set", "--height", "3.2m", "--unconfirmed")
        #expect(lower.output.contains("height    4.00 m (13'2\"), until 3.20 m is confirmed\n"))
        let status = try daemon.run("status").output
        #expect(status.contains("degraded: height-not-confirmed"))
        #expect(status.contains("vehicle   height 4.00 m, height not confirmed\n"))
        #expect(try daemon.run("vehicle", "confirm").output.contains("height    3.20 m ("))
        #expect(!(try daemon.run("status").output.contains("degraded")))
        #expect(try daemon.run("vehicle", "confirm", "--height", "420cm").status == 0)
        #expect(daemon.monitoring.vehicle.height == 4.2)
    }

    @Test(
        "a height that is easily typed for another takes a second word",
        arguments: [
            ("1.20m", "a height of 1.2 m is less than 2 m"),
            ("2.1m", "2.1 m is half of the height before, or less"),
            ("1.99m", "a height of 1.99 m is less than 2 m"), ("2.2m", nil), ("5.9m", nil),
        ])
    func doubtful(_ height: String, _ doubt: String?) throws {
        _ = try daemon.run("vehicle", "set", "--height", "4.20m")
        let set = try daemon.run("vehicle", "set", "--height", height)
        #expect(set.status == 0)
        let isConfirmed = !(try daemon.run("status").output.contains("height-not-confirmed"))
        #expect(isConfirmed == (doubt == nil))
        guard let doubt else { return #expect(set.errors.isEmpty) }
        #expect(
            set.errors.contains("\(doubt): if it is right, geofencectl vehicle confirm"),
            "\(set.errors)")
        // Until then the greater one is in force.
        #expect(daemon.monitoring.vehicle.height == 4.2)
        #expect(try daemon.run("vehicle", "confirm").errors.isEmpty)
        #expect(daemon.monitoring.vehicle.height ?? 9 < 4)
        // Every day the same is nothing to ask about.
        let again = try daemon.run("vehicle", "set", "--height", height)
        #expect(again.errors.isEmpty && !again.output.contains("is confirmed"))
    }

    @Test("a profile of the settings stays in force when the daemon is killed")
    func profile() throws {
        let bench = try AlertBench(
            configuration: """
                [Vehicle]
                HeightM=3.5m
                WidthM=2.5m
                Profiles=tractor height=3.2m; with-trailer height=4m weight=40t
                ConfirmWithinSec=0
                """)
        let before = try bench.tool("vehicle", "show").output.split(separator: "\n").map(
            String.init)
        #expect(
            before == [
                "height    3.50 m (11'6\")", "width     2.50 m",
                "profiles  tractor, with-trailer", "set       by settings", "confirmed yes",
            ])
        #expect(try bench.tool("vehicle", "set", "--profile", "with-trailer").status == 0)
        // Kills it.
        try bench.startDaemon()
        let after = try bench.tool("vehicle", "show").output
        #expect(after.hasPrefix("height    4.00 m (13'2\")\nwidth     2.50 m\nweight    40.0 t\n"))
        #expect(after.contains("\nprofile   with-trailer\n"))
        let lower = try bench.tool("vehicle", "set", "--profile", "tractor", "--unconfirmed").output
        #expect(lower.hasPrefix("height    4.00 m (13'2\"), until 3.20 m is confirmed\n"))
        #expect(try bench.tool("vehicle", "set", "--profile=").output.hasPrefix("height    3.50 m"))
    }

    @Test("status, window and watch have the vehicle in JSON")
    func json() throws {
        let status = try #require(try daemon.json("status").first)
        #expect(status["vehicle"]?["certainty"]?.string == "assumed")
        #expect(status["ahead"]?.array == [])
        #expect(try daemon.json("window").isEmpty)
    }

    @Test(
        "what is wrong is named, and nothing is set",
        arguments: [
            (["show", "--height", "4m"], 2, "nothing can be set with: vehicle show"),
            (["set"], 2, "missing option: --height LENGTH, …"),
            (["sell"], 2, "neither show nor set nor confirm: vehicle sell"),
            (
                ["set", "--height", "4 ells"], 2,
                "not a length such as 4.2m or 13'10\": --height 4 ells"
            ),
            (
                ["set", "--height", "13'12\""], 2,
                "not a length such as 4.2m or 13'10\": --height 13'12\""
            ),
            (
                ["set", "--height", "13.10"], 2,
                "height_m 13.1 is outside 1.0…6.0 m: --height 13.10"
            ),
            (["set", "--weight", "40m"], 2, "not a weight such as 40t: --weight 40m"),
            (["confirm"], 1, "there is no height to confirm"),
            (["confirm", "--unconfirmed"], 2, "not an option of vehicle confirm: --unconfirmed"),
            (["set", "--profile", "x"], 1, "no profile \"x\"; there are: none"),
        ])
    func usage(arguments: [String], status: Int32, complaint: String) throws {
        let ending = try #require(
            try daemon.loop.run(untilEndOf: daemon.start(["vehicle"] + arguments)))
        #expect(ending.status == status)
        #expect(ending.errors.hasPrefix("geofencectl: \(complaint)"), "\(ending.errors)")
        #expect(daemon.monitoring.vehicle == Vehicle())
    }
}
