import Files
import Glibc
package import Systemd
import Time

// Unsafe: access(2) gets a path of ours.

/// What a sound could come out of, as far as it can be seen: the devices of ALSA, and the sockets of
/// PipeWire and PulseAudio.
@MainActor
package struct SoundOutput {
    /// Why nothing can be heard; nil: it can, as far as one sees.
    package private(set) var flaw: String?
    /// Whether there is a sound server, which plays into nothing.
    package private(set) var isDummy = false

    /// - Parameters:
    ///   - devices: where the devices of ALSA are.
    ///   - runtime: where the sockets of the session are; nil: XDG_RUNTIME_DIR.
    package init(devices: String = "/dev/snd", runtime: String? = nil) {
        let runtime = runtime ?? environment("XDG_RUNTIME_DIR")
        let sockets = runtime.map { ["\($0)/pipewire-0", "\($0)/pulse/native"] } ?? []
        let hasServer =
            environment("PULSE_SERVER") != nil || environment("PIPEWIRE_REMOTE") != nil
            || (sockets + ["/run/pulse/native"]).contains(where: Self.isWritable)
        let players = Self.players(in: devices)
        if hasServer || players.contains(where: Self.isWritable) {
            flaw = nil
        } else if players.isEmpty {
            flaw = "there is no sound device in \(devices), and no sound server"
        } else {
            flaw =
                "this user may not use the sound devices in \(devices), and there is no sound server"
        }
    }

    /// Asks the sound server, too: it makes the sink auto_null when it has no other, and programs that
    /// play into that end with 0.
    package func ask(
        _ programs: Programs, _ children: Children, then: @escaping (SoundOutput) -> Void
    ) {
        let command = ["pactl", "get-sink-volume", "auto_null"]
        guard let path = programs.find(command[0]) else { return then(self) }
        do throws(SystemError) {
            _ = try children.start([path] + command.dropFirst(), limit: .seconds(4)) { end in
                var asked = self
                if end.isSuccess {
                    asked.isDummy = true
                    asked.flaw = "the sound server has no sound device"
                }
                then(asked)
            }
        } catch { then(self) }
    }

    private static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// The devices that play: pcmC0D0p, and so on.
    private static func players(in directory: String) -> [String] {
        let names = try? Directory.names(in: directory) { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
        return (names ?? []).map { "\(directory)/\($0)" }
    }
}
