import Program
import Systemd
import Testing
import WebServer

@testable import LiveMap

@Suite struct MapArgumentsTests {
    @Test("without options it is the program of the unit: the passed socket, a minute")
    func unit() throws {
        let arguments = try MapArguments([])
        #expect(arguments.place == .activated)
        #expect(arguments.idleSeconds == 60)
        #expect(arguments.bus == .system)
        #expect(arguments.config == "/etc/geofenced/map.conf")
    }

    @Test(
        "on loopback it stays until a signal ends it, in whichever order the options come",
        arguments: [
            (["--loopback"], 0, 0), (["--loopback", "--port", "8750"], 8750, 0),
            (["--port=8750", "--loopback", "--idle", "5"], 8750, 5),
            (["--idle=5", "--loopback"], 0, 5),
        ] as [([String], UInt16, Int)])
    func loopback(_ words: [String], _ port: UInt16, _ idle: Int) throws {
        let arguments = try MapArguments(words)
        #expect(arguments.place == .loopback(port: port))
        #expect(arguments.idleSeconds == idle)
    }

    @Test(
        "wrong usage says what is wrong",
        arguments: [
            (["--port", "1"], "only with --loopback: --port"),
            (["--loopback", "--port", "65536"], "not a number from 0 to 65535: --port 65536"),
            (["--loopback", "--socket", "/a"], "only one of --socket and --loopback"),
            (["--bus", "x"], "neither system nor session nor a bus address: --bus x"),
            (["--idle"], "option needs a value: --idle"), (["-x"], "unknown option: -x"),
            (["x"], "unexpected argument: x"),
        ] as [([String], String)])
    func wrong(_ words: [String], _ why: String) {
        #expect(throws: Failure.usage(why)) { try MapArguments(words) }
    }
}
