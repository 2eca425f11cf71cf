import Files
import Glibc
package import Sentences
package import Systemd
import Time

/// Which of the programs that speak speak a language. One that does not would read it in another
/// voice, which nobody understands, and end with 0.
package struct Voices: Equatable, Sendable {
    /// What each that does calls the language, by the names of the programs.
    package var tags: [String: String] = [:]
    /// Why the others do not.
    package var flaws: [String] = []

    /// What is asked of them where no language is: every one speaks English.
    package static let english = Voices(tags: ["spd-say": "en", "espeak-ng": "en"])

    /// How long one may take to answer.
    private static let limit = TimeSpan.seconds(10)
    /// Bytes of a list of voices; speech-dispatcher's has one of a megabyte.
    private static let longest = 8 << 20

    /// Asks them. speech-dispatcher, which takes seconds, is asked only where it would be used.
    @MainActor
    package static func find(
        _ language: DriverLanguage, _ programs: Programs, _ children: Children,
        then: @escaping (Voices) -> Void
    ) {
        var voices = Voices()
        let tag = language.tag.lowercased()
        run("espeak-ng", ["-q", "-v", tag, "-x", "1"], programs, children) { end, _ in
            switch end {
            case .success(let isSuccess) where isSuccess: voices.tags["espeak-ng"] = tag
            case .success: voices.flaws.append("espeak-ng has no voice for it")
            case .failure(let flaw): voices.flaws.append("espeak-ng: \(flaw.reason)")
            }
            guard programs.hasSession || voices.tags.isEmpty else { return then(voices) }
            run("spd-say", ["--list-synthesis-voices"], programs, children) { end, list in
                switch end {
                case .success(let isSuccess) where isSuccess:
                    voices.tags["spd-say"] = Self.tag(of: language, in: list)
                    if voices.tags["spd-say"] == nil {
                        voices.flaws.append("spd-say lists no voice for it")
                    }
                case .success: voices.flaws.append("spd-say does not list its voices")
                case .failure(let flaw): voices.flaws.append("spd-say: \(flaw.reason)")
                }
                then(voices)
            }
        }
    }

    private struct Flaw: Error {
        var reason: String
    }

    /// Whether it ended with 0, and what it printed.
    @MainActor
    private static func run(
        _ name: String, _ arguments: [String], _ programs: Programs, _ children: Children,
        then: @escaping (Result<Bool, Flaw>, [UInt8]) -> Void
    ) {
        guard let path = programs.find(name) else {
            return then(.failure(Flaw(reason: "not installed")), [])
        }
        let output: OpenFile
        do throws(Errno) { output = try OpenFile(namelessIn: Programs.runtimeDirectory) } catch {
            return then(.failure(Flaw(reason: "no file for what it prints: \(error)")), [])
        }
        do throws(SystemError) {
            _ = try children.start([path] + arguments, output: output.descriptor, limit: limit) {
                end in
                then(.success(end.isSuccess), printed(in: output))
            }
        } catch { then(.failure(Flaw(reason: "\(error)")), []) }
    }

    /// It stands at the end of what was printed.
    private static func printed(in file: OpenFile) -> [UInt8] {
        guard let size = try? file.status().st_size else { return [] }
        return (try? file.bytes(at: 0, count: min(max(0, Int(size)), longest))) ?? []
    }

    /// From the list of spd-say: lines of a name, a language and a variant. The same country's voice
    /// before another one.
    static func tag(of language: DriverLanguage, in list: [UInt8]) -> String? {
        var tags: Set<String> = []
        for line in list.split(separator: 0x0A) {
            let words = line.split(separator: 0x20)
            guard words.count >= 3 else { continue }
            tags.insert(String(decoding: words[words.count - 2], as: UTF8.self))
        }
        let code = language.language.rawValue
        let known = tags.filter { tag in
            let lower = tag.lowercased()
            return lower == code || lower.hasPrefix(code + "-")
        }
        guard !known.isEmpty else { return nil }
        return known.first { $0.lowercased() == language.tag.lowercased() } ?? code
    }
}
