import Foundation
import SystemTestKit
import Testing
import geofencectl

@Suite struct CompletionTests {
    struct Shell: CustomTestStringConvertible, Sendable {
        var name: String
        var path: String
        /// How an option is written in its file.
        var option: @Sendable (String) -> String
        var testDescription: String { name }

        var text: String {
            get throws {
                let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .deletingLastPathComponent().deletingLastPathComponent()
                    .deletingLastPathComponent()
                return try String(
                    contentsOf: root.appendingPathComponent("systemd/usr/share/\(path)"),
                    encoding: .utf8)
            }
        }
    }

    static let shells = [
        Shell(name: "bash", path: "bash-completion/completions/geofencectl") { "--\($0)" },
        Shell(name: "zsh", path: "zsh/vendor-completions/_geofencectl") { "--\($0)" },
        Shell(name: "fish", path: "fish/vendor_completions.d/geofencectl.fish") { "-l \($0) " },
    ]

    @Test("every verb and option can be completed", arguments: shells)
    func complete(_ shell: Shell) throws {
        let words = try Set(
            shell.text.split { " \n'\":=[]()*".contains($0) }.map(String.init))
        let text = try shell.text
        for verb in Verb.all {
            #expect(words.contains(verb.name), "\(verb.name)")
            for option in verb.options + Verb.commonOptions {
                #expect(text.contains(shell.option(option.name)), "--\(option.name)")
            }
        }
    }

    private func bash(_ line: String) throws -> Set<String> {
        let completions = try #require(Self.shells.first).path
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let run = Subprocess([
            "bash", "-c",
            """
            compopt() { :; }
            source "$0/systemd/usr/share/\(completions)"
            COMP_WORDS=($1); [[ $1 == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _geofencectl; printf '%s\\n' "${COMPREPLY[@]}"
            """, root, line,
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
        #expect(try bash("geofencectl import --re") == ["--replace"])
        #expect(try bash("geofencectl events --kind dw") == ["dwell"])
        #expect(try bash("geofencectl --bus se") == ["session"])
        #expect(try bash("geofencectl check --j") == ["--json"])
        #expect(try bash("geofencectl consumer ") == ["list", "remove"])
        #expect(try bash("geofencectl consumer list ") == [])
    }
}
