import Settings

/// An input line of a GPIO chip, as `IgnitionGPIO=` names it: `gpiochip0:17`, and perhaps
/// `:active-low` and `:debounce=50ms`.
package struct GPIOLine: Hashable, Sendable, CustomStringConvertible {
    /// The name of the chip's device in /dev: `gpiochip0`.
    package let chip: String
    /// The offset of the line on the chip, from 0.
    package let offset: UInt32
    /// The line is on while its level is low.
    package let isActiveLow: Bool
    /// How long a level must last, µs, at most 10 s; 0: not at all.
    package let debounceMicroseconds: UInt32

    /// As the administrator wrote it.
    package let description: String

    /// From its text.
    /// - Throws: ``InputFlaw``.
    package init(_ text: String) throws(InputFlaw) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts[0].hasPrefix("gpiochip"), parts[0].dropFirst(8).isShortNumber
        else { throw InputFlaw(reason: "not a chip such as gpiochip0: \(parts[0])") }
        guard parts.count > 1, parts[1].isShortNumber, let offset = UInt32(parts[1])
        else { throw InputFlaw(reason: "no number of a line behind \(parts[0]):") }
        var isActiveLow = false
        var debounce: UInt32 = 0
        for option in parts.dropFirst(2) {
            if option == "active-low" {
                isActiveLow = true
            } else if option.hasPrefix("debounce="),
                let seconds = try? Quantity.timeSpan.parse(String(option.dropFirst(9))),
                (0...10).contains(seconds)
            {
                debounce = UInt32((seconds * 1_000_000).rounded())
            } else {
                throw InputFlaw(reason: "neither active-low nor debounce= up to 10s: \(option)")
            }
        }
        description = text
        chip = String(parts[0])
        self.offset = offset
        self.isActiveLow = isActiveLow
        debounceMicroseconds = debounce
    }
}

/// Why a text does not name an input of the vehicle.
package struct InputFlaw: Error, CustomStringConvertible {
    /// A phrase without a full stop.
    package let description: String

    init(reason: String) { description = reason }
}

extension Substring {
    /// Whether it is one to five digits.
    var isShortNumber: Bool {
        (1...5).contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
