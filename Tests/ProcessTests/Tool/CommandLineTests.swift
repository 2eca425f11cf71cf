import Foundation
import SystemTestKit
import Testing

@Suite struct CommandLineTests {
    @Test("--help shows the usage on standard output", arguments: [["check"], ["replay"]])
    func help(_ verb: [String]) throws {
        let run = Subprocess([builtProgram("geofencectl")] + verb + ["--help"])
        let ending = try #require(run.wait())
        #expect(ending.output.hasPrefix("Usage: geofencectl"))
        #expect(ending.errors.isEmpty)
        #expect(ending.status == 0)
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var complaint: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "a mistake on the command line is one line and status 2",
        arguments: [
            Mistake(arguments: [], complaint: "missing argument: VERB"),
            Mistake(arguments: ["fly"], complaint: "unknown verb: fly"),
            Mistake(arguments: ["lits"], complaint: "unknown verb: lits (did you mean list?)"),
            Mistake(arguments: ["cons"], complaint: "unknown verb: cons (did you mean consumer?)"),
            Mistake(
                arguments: ["check", "--raduis", "5", "a"],
                complaint: "unknown option: --raduis (did you mean --radius?)"),
            Mistake(arguments: ["--fly", "list"], complaint: "unknown option: --fly"),
            Mistake(arguments: ["window", "x"], complaint: "unexpected argument: x"),
            Mistake(arguments: ["check", "-x", "a"], complaint: "unknown option: -x"),
            Mistake(arguments: ["check"], complaint: "missing argument: FILE…"),
            Mistake(
                arguments: ["check", "a", "--window", "3"],
                complaint: "not an option of check: --window"),
            Mistake(
                arguments: ["replay", "a"], complaint: "missing option: --fences FILE"),
            Mistake(
                arguments: ["replay", "a", "--fences"], complaint: "option needs a value: --fences"),
            Mistake(
                arguments: ["replay", "a", "--fences", "b", "--window", "1"],
                complaint: "not a whole number from 2 to 1000: --window 1"),
            Mistake(
                arguments: ["check", "a", "--radius", "wide"],
                complaint: "not a number from 0.001 to 10000000: --radius wide"),
            Mistake(
                arguments: ["check", "a", "--json=1"], complaint: "option takes no value: --json"),
        ])
    func mistakes(_ mistake: Mistake) throws {
        let run = Subprocess([builtProgram("geofencectl")] + mistake.arguments)
        let ending = try #require(run.wait())
        #expect(
            ending.errors == "geofencectl: \(mistake.complaint); see geofencectl --help\n")
        #expect(ending.output.isEmpty)
        #expect(ending.status == 2)
    }

    @Test(
        "no look is asked for at a source that is not there",
        arguments: [
            Mistake(arguments: ["ofice"], complaint: "no such source: ofice"),
            Mistake(arguments: ["pause", "ofice"], complaint: "no such source: ofice"),
            Mistake(arguments: ["ofice", "--dry-run"], complaint: "no such source: ofice"),
            Mistake(
                arguments: ["pause"], complaint: "missing argument: NAME; see geofencectl --help"),
            Mistake(
                arguments: ["a.b"], complaint: "no name of a source: a.b; see geofencectl --help"),
        ])
    func noSource(_ mistake: Mistake) throws {
        let directory = TemporaryDirectory()
        let run = Subprocess(
            [builtProgram("geofencectl"), "sync", "--status-dir", directory.path]
                + mistake.arguments)
        let ending = try #require(run.wait())
        #expect(ending.errors == "geofencectl: \(mistake.complaint)\n")
        #expect(ending.status != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test("a request that no look obeys is not left for another day")
    func requestInVain() throws {
        let directory = TemporaryDirectory()
        directory.write(#"{"v":1,"state":"unchanged"}"#, to: "office.json")
        let ending = try geofencectl(
            "sync", "office", "--status-dir", directory.path, "--bus", "unix:path=/nonexistent")
        #expect(ending.status == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names == ["office.json"])
    }

    @Test("an operand that begins with a hyphen stands behind --")
    func endOfOptions() throws {
        let ending = try geofencectl("check", "--json", "--", "--json")
        #expect(ending.output.contains(#""file":"--json""#))
        #expect(ending.status == 1)
    }
}
