import Testing
import geofencectl

/// The file with which a shell completes command lines of the tool, made of its table of verbs.
struct ShellCompletions: CustomTestStringConvertible, Sendable {
    var name: String
    /// Below `systemd/usr/share`.
    var path: String
    var text: @Sendable () -> String
    var testDescription: String { name }

    static let all = [
        ShellCompletions(
            name: "bash", path: "bash-completion/completions/geofencectl",
            text: { BashCompletions.text }),
        ShellCompletions(
            name: "zsh", path: "zsh/vendor-completions/_geofencectl", text: { ZshCompletions.text }),
        ShellCompletions(
            name: "fish", path: "fish/vendor_completions.d/geofencectl.fish",
            text: { FishCompletions.text }),
    ]

    /// What every file begins with.
    static let head = """
        # SPDX-License-Identifier: Apache-2.0
        # Made of the verbs in Sources/Tool/geofencectl: GOLDEN=1 .ci/test --filter CompletionTests
        """
}

extension Verb {
    /// What follows the verb and one of its nouns.
    var nouns: [Completion.Noun] {
        guard case .nouns(let nouns, _) = completion else { return [] }
        return nouns
    }
}

extension String {
    /// In single quotes, for bash and zsh.
    var quoted: String {
        "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
