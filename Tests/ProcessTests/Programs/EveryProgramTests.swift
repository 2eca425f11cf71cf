import SystemTestKit
import Testing

/// Every program of the house.
let programs = [
    "geofenced", "geofencectl", "geofenced-alert", "geofenced-board", "geofenced-can",
    "geofenced-ingest",
    "geofenced-map", "geofenced-roads", "geofenced-sync", "geofenced-uplink",
]

@Suite("Every program has the same edge") struct EveryProgramTests {
    private func run(_ program: String, _ arguments: String...) throws -> Subprocess.Ending {
        try #require(Subprocess([builtProgram(program)] + arguments).wait(seconds: 20))
    }

    @Test("--help and -h give the usage on standard output", arguments: programs)
    func help(_ program: String) throws {
        let help = try run(program, "--help")
        #expect(help.output.hasPrefix("Usage: \(program) ") && help.output.hasSuffix(".\n"))
        #expect(help.errors.isEmpty && help.status == 0)
        #expect(try run(program, "-h").output == help.output)
    }

    @Test("--version gives the name and the one version", arguments: programs)
    func version(_ program: String) throws {
        let version = try run(program, "--version")
        #expect(version.output == "\(program) \(try run("geofenced", "--version").number)\n")
        #expect(version.number.split(separator: ".").count == 3)
        #expect(version.errors.isEmpty && version.status == 0)
    }

    /// By program: one word too many, and an option with a value.
    private static let words = [
        "geofenced": (["x"], "--config"), "geofencectl": (["window", "x"], "--bus"),
        "geofenced-alert": (["x"], "--bus"), "geofenced-board": (["x"], "--config"),
        "geofenced-can": (["x"], "--bus"),
        "geofenced-ingest": (["run", "x"], "--config"), "geofenced-map": (["x"], "--bus"),
        "geofenced-sync": (["a", "x"], "--bus"),
        "geofenced-uplink": (["a", "x"], "--bus"),
    ]

    @Test("a mistake is one line, in the same words, and status 2", arguments: programs)
    func mistakes(_ program: String) throws {
        func expect(_ arguments: [String], _ complaint: String) throws {
            let ending = try #require(
                Subprocess([builtProgram(program)] + arguments).wait(seconds: 20))
            #expect(ending.errors == "\(program): \(complaint); see \(program) --help\n")
            #expect(ending.output.isEmpty && ending.status == 2)
        }
        try expect(["--fly"], "unknown option: --fly")
        try expect(["--fly=7"], "unknown option: --fly")
        try expect(["--help=1"], "option takes no value: --help")
        let (extra, valued) = Self.words[program] ?? ([], "--output")
        try expect([valued], "option needs a value: \(valued)")
        // Of extracts there may be any number.
        if let last = extra.last { try expect(extra, "unexpected argument: \(last)") }
        let missing = [
            "geofencectl": "VERB", "geofenced-roads": "EXTRACT…", "geofenced-sync": "NAME",
            "geofenced-uplink": "NAME",
        ]
        if let argument = missing[program] { try expect([], "missing argument: \(argument)") }
    }

    @Test(
        "a program that cannot start says so, and has status 1",
        arguments: [
            ["geofenced", "--state-dir", "/nowhere"],
            ["geofenced-alert", "--bus", "unix:path=/no"],
            ["geofenced-can", "--bus", "unix:path=/no", "--interface", "none"],
            ["geofenced-map", "--bus", "unix:path=/no", "--socket", "/nowhere/s"],
            ["geofenced-board", "--database", "host=/no", "--socket", "/nowhere/s"],
        ])
    func start(_ words: [String]) throws {
        let ending = try #require(
            Subprocess([builtProgram(words[0])] + words.dropFirst()).wait(seconds: 20))
        #expect(ending.errors.contains("\(words[0]): cannot start: "))
        #expect(ending.output.isEmpty && ending.status == 1)
    }

    @Test(
        "--check has status 1 where it finds something, in every program that has it",
        arguments: ["geofenced", "geofenced-can", "geofenced-sync", "geofenced-uplink"])
    func check(_ program: String) throws {
        let directory = TemporaryDirectory()
        let file = directory.write("[Bogus]\nKey=1\n", to: "bogus.conf")
        let name = ["geofenced-sync", "geofenced-uplink"].contains(program) ? ["name"] : []
        let ending = try #require(
            Subprocess([builtProgram(program), "--check", "--config", file] + name)
                .wait(seconds: 20))
        #expect(ending.errors.contains("bogus.conf:1: "))
        #expect(ending.status == 1)
    }

    @Test("a full device is an error", arguments: programs)
    func fullDevice(_ program: String) throws {
        let run = Subprocess(["sh", "-c", "exec \"$0\" --help >/dev/full", builtProgram(program)])
        let ending = try #require(run.wait())
        #expect(ending.errors == "\(program): No space left on device: standard output\n")
        #expect(ending.status == 1)
    }
}

extension Subprocess.Ending {
    /// The second word of what it says.
    fileprivate var number: Substring {
        output.split { $0 == " " || $0 == "\n" }.dropFirst().first ?? ""
    }
}
