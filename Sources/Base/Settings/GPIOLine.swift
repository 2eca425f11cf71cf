/// An input line of a GPIO chip, as `IgnitionGPIO=` names it: `gpiochip0:17`, and perhaps
/// `:active-low` and `:debounce=50ms`.
package struct GPIOLine: Hashable, Sendable {
    /// The name of the chip's device in /dev: `gpiochip0`.
    package let chip: String
    /// The offset of the line on the chip, from 0.
    package let offset: UInt32
    /// The line is on while its level is low.
    package let isActiveLow: Bool
    /// How long a level must last, µs, at most 10 s; 0: not at all.
    package let debounceMicroseconds: UInt32

    /// Why a text is not one: a phrase without a full stop.
    struct Flaw: Error { let reason: String }

    /// As the administrator wrote it; nil where that is not valid, or empty.
    package static func read(_ text: String) -> GPIOLine? { try? GPIOLine(text) }

    init(_ text: String) throws(Flaw) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let number = parts[0].dropFirst(8)
        guard parts[0].hasPrefix("gpiochip"), (1...5).contains(number.utf8.count),
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw Flaw(reason: "not a chip such as gpiochip0: \(parts[0])") }
        guard parts.count > 1, (1...5).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let offset = UInt32(parts[1])
        else { throw Flaw(reason: "no number of a line behind \(parts[0]):") }
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
                throw Flaw(reason: "neither active-low nor debounce= up to 10s: \(option)")
            }
        }
        chip = String(parts[0])
        self.offset = offset
        self.isActiveLow = isActiveLow
        debounceMicroseconds = debounce
    }
}
