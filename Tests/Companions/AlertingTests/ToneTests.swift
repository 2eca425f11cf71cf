import Testing

@testable import Alerting

@Suite("The tones")
struct ToneTests {
    @Test(
        "each is a WAV file of 16 kHz and 16 bits, shorter than a second", arguments: Tone.allCases)
    func file(tone: Tone) {
        let wav = tone.wav
        func word(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(wav[offset + $1]) << ($1 * 8) }
        }
        #expect(String(decoding: wav[0..<4], as: UTF8.self) == "RIFF")
        #expect(String(decoding: wav[8..<16], as: UTF8.self) == "WAVEfmt ")
        #expect(word(4) == wav.count - 8)
        #expect(word(24) == 16_000 && word(28) == 32_000)
        #expect(word(40) == wav.count - 44 && word(40) == tone.samples.count * 2)
        #expect((4_000..<16_000).contains(tone.samples.count))
    }

    @Test("neither clicks nor clips: it begins and ends at zero, and has no steps")
    func smooth() {
        for tone in Tone.allCases {
            let samples = tone.samples.map(Int.init)
            #expect(samples.first == 0 && samples.last == 0)
            #expect(samples.map(abs).max() ?? 0 > 20_000)
            // The steepest sine is 2π · 1320 / 16000 of its height in one sample.
            let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
            #expect(steps.max() ?? 0 < 14_000)
        }
    }

    @Test("the urgent one is higher, and broken into four")
    func distinct() {
        func crossings(_ tone: Tone) -> Double {
            let samples = tone.samples
            let count = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            return Double(count) / Double(samples.count { $0 != 0 }) * 16_000
        }
        #expect((600..<900).contains(crossings(.advisory)))
        #expect((1200..<1400).contains(crossings(.urgent)))
        func bursts(_ tone: Tone) -> Int {
            var silence = 1_000
            var bursts = 0
            for sample in tone.samples {
                if sample == 0 {
                    silence += 1
                } else {
                    if silence > 200 { bursts += 1 }
                    silence = 0
                }
            }
            return bursts
        }
        #expect(bursts(.advisory) == 2 && bursts(.urgent) == 4)
    }
}
