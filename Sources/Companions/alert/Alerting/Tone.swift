import Glibc

/// The three sounds, generated: 16 kHz, mono, 16 bits, as WAV files of a few kilobytes.
package enum Tone: String, CaseIterable, Sendable {
    /// Two rising notes: something is ahead.
    case advisory
    /// Four short high notes: act now.
    case urgent
    /// One low note: anything else.
    case notice

    /// Samples per second.
    package static let rate = 16_000

    /// What is heard, in order: Hz (0: silence), and how long, ms.
    private var notes: [(frequency: Double, milliseconds: Int)] {
        switch self {
        case .advisory: [(660, 180), (0, 40), (880, 220)]
        case .notice: [(520, 260)]
        case .urgent: Array(repeating: [(1320, 110), (0, 60)], count: 4).flatMap(\.self)
        }
    }

    /// The samples, from -32767 to 32767.
    package var samples: [Int16] {
        notes.flatMap { Self.note($0.frequency, $0.milliseconds) }
    }

    /// A sine wave that fades in and out within 8 ms, so that it does not click.
    private static func note(_ frequency: Double, _ milliseconds: Int) -> [Int16] {
        let count = rate * milliseconds / 1000
        let fade = rate * 8 / 1000
        return (0..<count).map { index in
            let loudness = Double(min(index, count - 1 - index, fade)) / Double(fade)
            let angle = 2 * Double.pi * frequency * Double(index) / Double(rate)
            return Int16(sin(angle) * loudness * 0.8 * 32_767)
        }
    }

    /// The whole file: "Multimedia Programming Interface and Data Specifications 1.0", WAVE.
    package var wav: [UInt8] {
        let samples = samples
        let size = UInt32(samples.count * 2)
        func word(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func half(_ value: UInt16) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }
        let rate = UInt32(Self.rate)
        var bytes = Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + word(16)
        bytes += half(1) + half(1) + word(rate) + word(rate * 2) + half(2) + half(16)
        bytes += Array("data".utf8) + word(size)
        for sample in samples { bytes += half(UInt16(bitPattern: sample)) }
        return bytes
    }
}
