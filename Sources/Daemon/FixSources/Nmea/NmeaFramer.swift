/// Counts of sentences, valid and skipped.
package struct NmeaCounts: Hashable, Sendable {
    /// Sentences with a correct checksum, of any kind.
    package var good = 0
    /// Sentences with a wrong checksum.
    package var badChecksum = 0
    /// Sentences without a checksum, cut short by a newline, by a byte that is not printable ASCII,
    /// or by the next `$`.
    package var unfinished = 0
    /// Longer than 255 bytes.
    package var overlong = 0
}

/// Finds sentences in a stream of bytes: anything between them is skipped, such as a time stamp in
/// front of the `$`, a comment, AIS, binary or noise.
///
/// A sentence ends with its checksum and any byte that is not a letter or digit, so that it need
/// not wait for a newline, and the next may follow on the same line. How the stream was divided
/// into pieces makes no difference.
struct NmeaFramer {
    /// Bytes between `$` and `*`. The standard allows 80; receivers send up to about 200.
    static let longest = 255

    private enum State {
        /// At the beginning of a line, where `#` starts a comment.
        case lineStart
        case between
        case comment
        case body
        case checksum(first: UInt8?)
        /// The checksum was correct; one more digit would invalidate it.
        case complete
    }

    private(set) var counts = NmeaCounts()
    private var state = State.lineStart
    private var body: [UInt8] = []
    private var sum: UInt8 = 0

    init() { body.reserveCapacity(Self.longest) }

    /// Takes one byte; returns the sentence that it completes, if it is relevant.
    mutating func feed(_ byte: UInt8) -> NmeaSentence? {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            let sentence = leave()
            state = .lineStart
            return sentence
        case UInt8(ascii: "$"):
            if case .comment = state { return nil }
            let sentence = leave()
            body.removeAll(keepingCapacity: true)
            sum = 0
            state = .body
            return sentence
        default:
            break
        }
        switch state {
        case .lineStart:
            state = byte == UInt8(ascii: "#") ? .comment : .between
        case .between, .comment:
            break
        case .body:
            takeBody(byte)
        case .checksum(let first):
            takeChecksum(byte, after: first)
        case .complete:
            if byte.isLetterOrDigit {
                counts.badChecksum += 1
                state = .between
            } else {
                return leave()
            }
        }
        return nil
    }

    /// The stream has ended.
    mutating func finish() -> NmeaSentence? {
        let sentence = leave()
        state = .lineStart
        return sentence
    }

    private mutating func takeBody(_ byte: UInt8) {
        if byte == UInt8(ascii: "*") {
            state = .checksum(first: nil)
        } else if byte < 0x20 || byte > 0x7E {
            _ = leave()
        } else if body.count == Self.longest {
            counts.overlong += 1
            state = .between
        } else {
            body.append(byte)
            sum ^= byte
        }
    }

    private mutating func takeChecksum(_ byte: UInt8, after first: UInt8?) {
        guard let digit = byte.hexDigit else {
            _ = leave()
            return
        }
        guard let first else {
            state = .checksum(first: digit)
            return
        }
        if first << 4 | digit == sum {
            state = .complete
        } else {
            counts.badChecksum += 1
            state = .between
        }
    }

    /// Ends what was begun: a sentence, if it is complete.
    private mutating func leave() -> NmeaSentence? {
        switch state {
        case .complete:
            counts.good += 1
            state = .between
            return NmeaSentence(body)
        case .body, .checksum:
            counts.unfinished += 1
            state = .between
            return nil
        case .lineStart, .between, .comment:
            return nil
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
