/// What became of one sound, as far as the programs say.
package struct Hearing: Equatable, Sendable {
    /// What was to be heard.
    package enum Sound: String, Sendable {
        case tone = "the tone"
        case line = "the line"
    }

    /// Which of both.
    package var sound: Sound
    /// The path of the program that said that it has done it; nil: none did.
    package var program: String?
    /// Why the others did not, in the order in which they were tried: a path, and what it ended with.
    package var failures: [String] = []

    package init(_ sound: Sound, program: String? = nil, failures: [String] = []) {
        self.sound = sound
        self.program = program
        self.failures = failures
    }
}
