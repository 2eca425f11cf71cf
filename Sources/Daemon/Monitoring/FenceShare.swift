/// How many fences one named origin may have: a number, or a percentage of all that may be stored.
package enum FenceShare: Hashable, Sendable, CustomStringConvertible {
    case fences(Int)
    /// 1 to 100.
    case percent(Int)

    /// `5000` or `25%`.
    /// - Throws: ``FenceShareFlaw`` for anything else.
    package init(_ text: String) throws(FenceShareFlaw) {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? text.dropLast() : text[...]
        let range = isPercent ? 1...100 : 1...100_000_000
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits), range.contains(number)
        else { throw FenceShareFlaw() }
        self = isPercent ? .percent(number) : .fences(number)
    }

    /// As it is written.
    package var description: String {
        switch self {
        case .fences(let number): "\(number)"
        case .percent(let percent): "\(percent)%"
        }
    }

    /// The limit in fences, of a `total` that may be stored; at least 1.
    func limit(of total: Int) -> Int {
        switch self {
        case .fences(let number): number
        case .percent(let percent):
            max(total / 100 * percent + total % 100 * percent / 100, 1)
        }
    }
}

/// Why a text is no ``FenceShare``.
package struct FenceShareFlaw: Error, CustomStringConvertible {
    /// A phrase.
    package var description: String {
        "not a number from 1 to 100000000, or a percentage such as 25%"
    }
}
