import Testing

@testable import FixSources

@Suite("names of sources")
struct FixSourceURITests {
    @Test(
        "what is understood",
        arguments: [
            ("gpsd://localhost:2947", .gpsd(GpsdAddress())),
            ("gpsd://", .gpsd(GpsdAddress())),
            ("gpsd://box", .gpsd(GpsdAddress(host: "box"))),
            (
                "gpsd://10.0.0.1:3000/dev/ttyUSB0",
                .gpsd(GpsdAddress(host: "10.0.0.1", port: 3000, device: "/dev/ttyUSB0"))
            ),
            (
                "gpsd://box:2947:/dev/ttyACM0",
                .gpsd(GpsdAddress(host: "box", device: "/dev/ttyACM0"))
            ),
            (
                "gpsd://box/tcp://10.0.0.2:4000",
                .gpsd(GpsdAddress(host: "box", device: "tcp://10.0.0.2:4000"))
            ),
            ("gpsd://[::1]:2948/", .gpsd(GpsdAddress(host: "::1", port: 2948))),
            ("gpsd://[fe80::1%eth0]", .gpsd(GpsdAddress(host: "fe80::1%eth0"))),
            ("gpsd:/run/gpsd-json.sock", .gpsdSocket(path: "/run/gpsd-json.sock")),
            ("nmea:/dev/ttyS0", .nmea(path: "/dev/ttyS0", baud: nil)),
            ("nmea:/dev/ttyS0?baud=9600", .nmea(path: "/dev/ttyS0", baud: 9600)),
            ("nmea:-", .nmea(path: "-", baud: nil)),
            ("replay:drive.nmea.gz", .replay(path: "drive.nmea.gz", rate: 1)),
            ("replay:/a b?rate=2.5", .replay(path: "/a b", rate: 2.5)),
            ("replay:a?beacons=b c", .replay(path: "a", rate: 1, beacons: "b c")),
            ("replay:a?rate=0&beacons=b", .replay(path: "a", rate: 0, beacons: "b")),
        ] as [(String, FixSourceURI)])
    func good(_ text: String, _ expected: FixSourceURI) throws {
        #expect(try FixSourceURI(text) == expected)
    }

    @Test(
        "what is not is named",
        arguments: [
            ("", "neither gpsd:, nmea: nor replay:: "),
            ("http://x", "neither gpsd:, nmea: nor replay:: http://x"),
            ("gpsd://x:0", "no port: 0: gpsd://x:0"),
            ("gpsd://x:99999", "no port: 99999: gpsd://x:99999"),
            ("gpsd://[::1", "a bracket without its end: gpsd://[::1"),
            ("gpsd://x/a\"b", "no device: /a\"b: gpsd://x/a\"b"),
            ("gpsd:", "no path: gpsd:"),
            ("nmea:", "no path: nmea:"),
            ("nmea:/dev/x?baud=fast", "baud=fast: only baud=N is known: nmea:/dev/x?baud=fast"),
            (
                "replay:a?rate=-1",
                "rate=-1: only rate=N and beacons=FILE are known: replay:a?rate=-1"
            ),
            (
                "replay:a?rate=nan",
                "rate=nan: only rate=N and beacons=FILE are known: replay:a?rate=nan"
            ),
        ])
    func bad(_ text: String, _ message: String) {
        let error = #expect(throws: FixSourceURIError.self) { try FixSourceURI(text) }
        #expect(error?.description == message)
    }

    @Test("the path of a UNIX socket has the kernel's length limit")
    func longPath() throws {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(try FixSourceURI("gpsd:" + longest) == .gpsdSocket(path: longest))
        #expect(throws: FixSourceURIError.self) { try FixSourceURI("gpsd:\(longest)x") }
    }
}
