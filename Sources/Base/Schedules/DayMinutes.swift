/// The minutes of a day that are open, one bit each.
struct DayMinutes: Sendable {
    private var words = InlineArray<23, UInt64>(repeating: 0)

    /// `minute` is 0..<1440.
    subscript(minute: Int) -> Bool { words[minute >> 6] >> UInt64(minute & 63) & 1 != 0 }

    /// Opens or closes a span that lies within the day.
    mutating func set(_ span: Schedule.Span, _ isOpen: Bool) {
        guard span.start < span.end else { return }
        let last = span.end - 1
        for word in span.start >> 6...last >> 6 {
            var bits = UInt64.max
            if word == span.start >> 6 { bits <<= UInt64(span.start & 63) }
            if word == last >> 6 { bits &= .max >> UInt64(63 - last & 63) }
            if isOpen { words[word] |= bits } else { words[word] &= ~bits }
        }
    }

    /// What is open in one of the two.
    consuming func union(_ other: DayMinutes) -> DayMinutes {
        for word in words.indices { words[word] |= other.words[word] }
        return self
    }

    /// The first minute from `minute` on that is open, or that is not; 1440 if there is none.
    func first(isOpen: Bool, from minute: Int) -> Int {
        var bits = UInt64.max << UInt64(minute & 63)
        for word in minute >> 6..<words.count {
            bits &= isOpen ? words[word] : ~words[word]
            if bits != 0 { return min(word << 6 + bits.trailingZeroBitCount, Schedule.Span.day) }
            bits = .max
        }
        return Schedule.Span.day
    }
}
