import Foundation
import Reports
import SystemTestKit
import Testing

@testable import Ingesting

/// The files with which bash and zsh complete command lines of geofenced-ingest, made of its tables.
@Suite("The completions of geofenced-ingest") struct IngestCompletionTests {
    private static let share =
        #filePath.components(separatedBy: "/Tests/")[0] + "/systemd/usr/share/"
    private static let head = """
        # SPDX-License-Identifier: Apache-2.0
        # Made of the verbs in Sources/Fleet/Ingesting: GOLDEN=1 .ci/test --filter CompletionTests
        """

    /// Of an option that takes a value, what that is, for bash: a kind, or words.
    private static let values: [String: [String]] = [
        "--config": ["files"], "--output": ["files"], "--areas": ["files"],
        "--by": ["words"] + Report.Key.allCases.map(\.rawValue),
        "--format": ["words"] + ["table", "csv", "json", "html"],
    ]
    private static let common = ["--config", "--database", "--help", "--version"]
    private static let flags: Set = ["--take-over", "--help", "--version"]

    private static func options(_ verb: IngestArguments.Verb) -> [String] {
        IngestArguments.options[verb, default: []].sorted()
    }

    private static func operand(_ verb: IngestArguments.Verb) -> String {
        [.fences, .restore].contains(verb) ? "files" : "nothing"
    }

    /// A value of an option of a verb.
    private static func value(_ option: String, of verb: IngestArguments.Verb) -> [String] {
        verb == .archive && option == "--to" ? ["directories"] : values[option] ?? ["nothing"]
    }

    private static var bash: String {
        let verbs = IngestArguments.Verb.allCases
        let taking = Set(verbs.flatMap { options($0) } + common).subtracting(flags).sorted()
        return """
            # bash completion for geofenced-ingest(8)
            \(head)

            _geofenced_ingest() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
                # bash takes --option=value for three words.
                [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
                [[ $cur == = ]] && cur=
                local verb=run what=nothing i
                [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && verb=${COMP_WORDS[1]}
                COMPREPLY=()
                case "$verb $prev" in
            \(verbs.flatMap { verb in
                options(verb).filter { taking.contains($0) }.map {
                    "        '\(verb.rawValue) \($0)') what='\(value($0, of: verb).joined(separator: " "))' ;;"
                }
            }.joined(separator: "\n"))
                    *' --config') what=files ;;
                    *' --database') what=nothing ;;
                    *)
                        if [[ $cur == -* ]]; then
                            case $verb in
            \(verbs.map {
                "                    \($0.rawValue)) what='words \((options($0) + common).joined(separator: " "))' ;;"
            }.joined(separator: "\n"))
                            esac
                        elif [[ $COMP_CWORD -eq 1 ]]; then
                            what='words \(verbs.map(\.rawValue).joined(separator: " "))'
                        else
                            case $verb in
            \(verbs.filter { operand($0) == "files" }.map {
                "                    \($0.rawValue)) what=files ;;"
            }.joined(separator: "\n"))
                            esac
                        fi
                        ;;
                esac
                case $what in
                    words*) COMPREPLY=($(compgen -W "${what#words}" -- "$cur")) ;;
                    files | directories)
                        compopt -o filenames
                        COMPREPLY=($(compgen -${what:0:1} -- "$cur"))
                        ;;
                esac
            }

            complete -F _geofenced_ingest geofenced-ingest

            """
    }

    private static var zsh: String {
        func specification(_ option: String, _ verb: IngestArguments.Verb) -> String {
            guard !flags.contains(option) else { return "'\(option)'" }
            let value = value(option, of: verb)
            let action =
                switch value[0] {
                case "files": "_files"
                case "directories": "_files -/"
                case "words": "(\(value.dropFirst().joined(separator: " ")))"
                default: ""
                }
            let mark = option == "--report-over" ? "*" : ""
            return "'\(mark)\(option)=:\(option.dropFirst(2)):\(action)'"
        }
        return """
            #compdef geofenced-ingest
            \(head)

            _geofenced_ingest() {
                local context state state_descr line
                local -A opt_args
                local -a common
                common=(
                    '--config=:config:_files' '--database=:database:' '(- *)--help' '(- *)--version'
                )
                if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
                    compadd -- \(IngestArguments.Verb.allCases.map(\.rawValue).joined(separator: " "))
                    return
                fi
                local verb=run
                if [[ $words[2] != -* ]]; then
                    verb=$words[2]
                    shift words
                    (( CURRENT-- ))
                fi
                case $verb in
            \(IngestArguments.Verb.allCases.map { verb in
                let more = operand(verb) == "files" ? ["'*:file:_files'"] : []
                let all = options(verb).map { specification($0, verb) } + more
                return "        \(verb.rawValue)) _arguments $common \(all.joined(separator: " ")) ;;"
            }.joined(separator: "\n"))
                esac
            }

            _geofenced_ingest "$@"

            """
    }

    /// With GOLDEN in the environment the files are written instead, for review.
    @Test(
        "they are those of the verbs",
        arguments: [
            "bash-completion/completions/geofenced-ingest",
            "zsh/vendor-completions/_geofenced-ingest",
        ])
    func complete(_ path: String) throws {
        let file = URL(filePath: Self.share + path)
        let text = path.hasPrefix("bash") ? Self.bash : Self.zsh
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            return try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("every option of the tables is one, and there is no other")
    func options() throws {
        for (verb, options) in IngestArguments.options {
            for option in options {
                let value = Self.flags.contains(option) ? [] : [Self.words(option).first ?? "x"]
                do { _ = try IngestArguments([verb.rawValue, option] + value) } catch {
                    #expect(!"\(error)".contains("option of"), "\(error)")
                    #expect(!"\(error)".contains("unknown"), "\(error)")
                    #expect(!"\(error)".contains("none of"), "\(error)")
                }
            }
        }
    }

    private static func words(_ option: String) -> ArraySlice<String> {
        values[option].map { $0[0] == "words" ? $0.dropFirst() : [] } ?? []
    }

    private func bash(_ line: String) throws -> Set<String> {
        let run = Subprocess([
            "bash", "-c",
            """
            compopt() { :; }
            source "$0/bash-completion/completions/geofenced-ingest"
            COMP_WORDS=($1); [[ $1 == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _geofenced_ingest
            printf '%s\\n' "${COMPREPLY[@]}"
            """, Self.share, line,
        ])
        let ending = try #require(run.wait())
        #expect(ending.errors.isEmpty)
        return Set(ending.output.split(separator: "\n").map(String.init))
    }

    @Test("bash completes verbs first, then the options and values of the verb")
    func inBash() throws {
        #expect(
            try bash("geofenced-ingest ") == Set(IngestArguments.Verb.allCases.map(\.rawValue)))
        #expect(try bash("geofenced-ingest re") == ["report", "retire", "resend", "restore"])
        #expect(try bash("geofenced-ingest --w") == ["--worker"])
        #expect(try bash("geofenced-ingest archive --b") == ["--before"])
        #expect(try bash("geofenced-ingest report --by j") == ["jurisdiction"])
        #expect(try bash("geofenced-ingest report --format = cs") == ["csv"])
        #expect(
            try bash("geofenced-ingest status --config \(Self.share)zs") == ["\(Self.share)zsh"])
        #expect(try bash("geofenced-ingest archive --to \(Self.share)zs") == ["\(Self.share)zsh"])
        #expect(try bash("geofenced-ingest restore \(Self.share)zs") == ["\(Self.share)zsh"])
        #expect(try bash("geofenced-ingest move b1 --to x") == [])
        #expect(try bash("geofenced-ingest retire ") == [])
    }
}
