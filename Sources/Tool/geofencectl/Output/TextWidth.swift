import Bytes

/// The width of text in columns of a terminal.
extension String {
    /// How many columns it takes.
    var columns: Int { unicodeScalars.reduce(0) { $0 + ($1.columns ?? 1) } }

    /// Truncated to that many columns, with an ellipsis if something was cut off; never within a
    /// character.
    func truncated(to limit: Int) -> String {
        guard columns > limit else { return self }
        var width = 0
        var kept = ""
        for character in self {
            let next = String(character).columns
            guard width + next <= limit - 1 else { break }
            width += next
            kept.append(character)
        }
        return limit > 0 ? kept + "…" : ""
    }

    /// Padded with spaces on the right.
    func padded(to width: Int) -> String { self + spaces(width - columns) }

    /// Padded with spaces on the left.
    func aligned(to width: Int) -> String { spaces(width - columns) + self }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

extension Unicode.Scalar {
    /// 0 for combining characters, 2 for wide ones; nil for control characters. The same as
    /// wcwidth(3), which Swift does not import.
    fileprivate var columns: Int? {
        guard isPrintable else { return nil }
        if value < 0x7F { return 1 }
        switch properties.generalCategory {
        case .format, .nonspacingMark, .enclosingMark: return 0
        default: return Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), by block.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
