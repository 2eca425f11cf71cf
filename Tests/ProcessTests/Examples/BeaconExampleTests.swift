import SystemTestKit
import Systemd
import Testing

extension ExampleTests {
    /// An exhibit of docs/examples/beacons/guide.json, as its beacon sends it.
    private static let lion: [UInt8] =
        [
            0x02, 0x15, 0x5A, 0x4B, 0xCF, 0xCE, 0x17, 0x4E, 0x4B, 0xAC, 0xA8, 0x14, 0x09, 0x2E,
            0x77, 0xF6, 0xB7, 0xE5, 0, 9, 0, 1, 0xC5,
        ]

    @Test("audio-guide plays by number and by beacon, and uses the radio only in between")
    func audioGuide() throws {
        let bench = try ExampleBench()
        let loop = try EventLoop()
        let bluez = FakeBlueZ(on: bench.bus, loop: loop)
        try bluez.start()
        let run = Subprocess(
            [
                ExampleBench.example("beacons/audio-guide"),
                ExampleBench.example("beacons/guide.json"), "echo", "playing",
            ],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bench.bus.address], input: "43\n44\n")
        #expect(
            try loop.run(seconds: 20) { run.outputSoFar.contains("playing bear.ogg") },
            "\(run.errorsSoFar)")
        #expect(try loop.run { run.outputSoFar.contains("There is no number 44") })
        #expect(try loop.run(seconds: 20) { bluez.isDiscovering }, "\(run.errorsSoFar)")
        // An advertisement at each poll.
        let isPlayed = try loop.run(seconds: 20) {
            try? bluez.hear("dev_1", rssi: -59, apple: Self.lion)
            return run.outputSoFar.contains("playing lion.ogg")
        }
        #expect(isPlayed, "\(run.errorsSoFar)")
        bluez.stop()
        #expect(
            try loop.run(seconds: 20) {
                run.outputSoFar.contains(
                    "Please type the number on the sign: Bluetooth does not run")
            })
        run.signal(9)
    }
}
