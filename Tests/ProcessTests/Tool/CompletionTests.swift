import Foundation
import SystemTestKit
import Testing
import geofencectl

@Suite struct CompletionTests {
    static let root = #filePath.components(separatedBy: "/Tests/")[0]

    /// With GOLDEN in the environment the file is written instead, for review.
    @Test("the completions are those of the verbs", arguments: ShellCompletions.all)
    func complete(_ shell: ShellCompletions) throws {
        let file = URL(filePath: "\(Self.root)/systemd/usr/share/\(shell.path)")
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            return try Data(shell.text().utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == shell.text())
    }

    /// With a tool that lists these fences, consumers and so on.
    private func bash(
        _ line: String, listed: String = "one\t\t\tsource/a\ntwo\t\t\tbus\n"
    ) throws -> Set<String> {
        let completions = try #require(ShellCompletions.all.first).path
        let run = Subprocess([
            "bash", "-c",
            """
            compopt() { :; }
            listed=$2; geofencectl() { printf %s "$listed"; }
            source "$0/systemd/usr/share/\(completions)"
            COMP_WORDS=($1); [[ $1 == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _geofencectl; printf '%s\\n' "${COMPREPLY[@]}"
            """, Self.root, line, listed,
        ])
        let ending = try #require(run.wait())
        #expect(ending.errors.isEmpty)
        return Set(ending.output.split(separator: "\n").map(String.init))
    }

    @Test("bash completes verbs first, then the options of the verb")
    func inBash() throws {
        #expect(try bash("geofencectl ") == Set(Verb.all.map(\.name)))
        #expect(try bash("geofencectl re") == ["remove", "replay", "report", "restore"])
        #expect(try bash("geofencectl --json ex") == ["export"])
        #expect(try bash("geofencectl --bus session ex") == ["export"])
        #expect(try bash("geofencectl import --re") == ["--replace"])
        #expect(try bash("geofencectl events --kind dw") == ["dwell"])
        #expect(try bash("geofencectl events --kind = dw") == ["dwell"])
        #expect(
            try bash("geofencectl export --format ") == ["geojson", "seq", "csv", "kml", "gpx"])
        #expect(try bash("geofencectl events --format ") == ["geojson", "gpx", "kml"])
        #expect(try bash("geofencectl --bus se") == ["session"])
        #expect(try bash("geofencectl check --j") == ["--json"])
        #expect(try bash("geofencectl replay --set W") == ["Window."])
        #expect(try bash("geofencectl add --title ") == [])
    }

    @Test("bash completes operands by what comes before them")
    func operandsInBash() throws {
        #expect(try bash("geofencectl show ") == ["one", "two"])
        #expect(try bash("geofencectl list --origin ") == ["bus", "source/a"])
        #expect(try bash("geofencectl consumer ") == ["list", "remove"])
        #expect(try bash("geofencectl consumer list ") == [])
        #expect(try bash("geofencectl consumer remove t") == ["two"])
        #expect(try bash("geofencectl beacon --for 8h here ") == ["one", "two"])
        #expect(try bash("geofencectl sync ") == ["pause", "one", "two"])
        #expect(try bash("geofencectl vehicle s") == ["show", "set"])
        #expect(try bash("geofencectl ignition ") == ["on", "off"])
        #expect(
            try bash("geofencectl route set \(Self.root)/syst") == ["\(Self.root)/systemd"])
        #expect(try bash("geofencectl route show ") == [])
        #expect(try bash("geofencectl restore \(Self.root)/syst") == ["\(Self.root)/systemd"])
    }

    @Test("of the fences those that begin with the word are asked for")
    func prefixInBash() throws {
        // The tool prints its arguments.
        let completions = try #require(ShellCompletions.all.first).path
        let run = Subprocess([
            "bash", "-c",
            """
            geofencectl() { printf '%s\\n' "$*" | tr ' ' '-'; }
            source "$0/systemd/usr/share/\(completions)"
            bus=() cur='a b'; __geofencectl_list fences
            """, Self.root,
        ])
        #expect(try #require(run.wait()).output == "list---prefix-a-b\n")
    }

    @Test("bash runs nothing that a fence is called")
    func namesInBash() throws {
        let id = "$(exit>&2) `x` a;b"
        #expect(
            try bash("geofencectl show ", listed: "\(id)\n") == [#"\$\(exit\>\&2\)\ \`x\`\ a\;b"#])
    }
}
