package import BusClient
import Glibc
import Systemd

// Unsafe: access(2) gets a path of ours.

/// Which programs speak and play here.
package struct Programs: Sendable {
    /// The directories of PATH, in order.
    private let directories: [String]
    /// Whether it runs in the session of a user.
    let hasSession: Bool

    /// For files without a name.
    static var runtimeDirectory: String {
        environment("RUNTIME_DIRECTORY") ?? environment("XDG_RUNTIME_DIR") ?? "/tmp"
    }

    /// - Parameters:
    ///   - path: directories with colons between them; nil: PATH.
    ///   - hasSession: whether there is a sound server, and the user's own speech-dispatcher.
    package init(path: String? = nil, hasSession: Bool) {
        self.hasSession = hasSession
        directories = (path ?? environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
            .map(String.init)
    }

    /// The absolute path of a program; nil if it is not installed.
    package func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return isProgram(name) ? name : nil }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    private func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// The programs of ``voices(of:_:)``.
    package static let voiceNames = ["spd-say", "espeak-ng"]
    /// The programs of ``players``.
    package static let playerNames = ["pw-play", "paplay", "aplay"]
    /// How fast espeak-ng speaks, words a minute.
    package static func rate(isUrgent: Bool) -> Int { isUrgent ? 180 : 160 }

    /// Ways to say a line, the preferred one first: each an argument list without the line. In a
    /// session speech-dispatcher, which knows the user's voice; elsewhere espeak-ng, which needs
    /// nothing but a sound card.
    package func voices(of stage: DriverAlert.Stage, _ voices: Voices) -> [[String]] {
        var candidates: [[String]] = []
        if let tag = voices.tags["spd-say"] {
            // What is being said is interrupted by an important message, a text also by a message: and
            // not by the end of spd-say.
            let priority =
                switch stage {
                case .urgent: "important"
                case .advisory, .clear: "message"
                case .notice: "text"
                }
            candidates.append(
                ["spd-say", "--wait", "--language", tag, "--priority", priority, "--"])
        }
        if let tag = voices.tags["espeak-ng"] {
            let rate = Self.rate(isUrgent: stage == .urgent)
            candidates.append(["espeak-ng", "-v", tag, "-s", "\(rate)", "--"])
        }
        return (hasSession ? candidates : candidates.reversed()).compactMap { command in
            find(command[0]).map { [$0] + command.dropFirst() }
        }
    }

    /// Ways to play a WAV file from standard input. As a path, since not all of them read a pipe.
    package var players: [[String]] {
        [["pw-play", "/dev/stdin"], ["paplay", "/dev/stdin"], ["aplay", "-q", "/dev/stdin"]]
            .compactMap { command in find(command[0]).map { [$0] + command.dropFirst() } }
    }
}
