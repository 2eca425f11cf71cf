import Bytes

/// A sum over the lines of a set that does not depend on their order: equal sums are taken for equal
/// sets. It detects changes, and is no protection against an attacker, who has the set itself.
package struct SetSum: Hashable, Sendable, CustomStringConvertible {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    /// Lines that were added.
    package private(set) var count = 0

    package init() {}

    /// Adds a line.
    package mutating func add(_ line: [UInt8]) {
        line.withByteView { line in
            first &+= FNV1a.mixed(FNV1a.hash64(wordsOf: line, seed: 0x5851_f42d_4c95_7f2d))
            second &+= FNV1a.mixed(FNV1a.hash64(wordsOf: line, seed: 0x1405_7b7e_f767_814f))
        }
        count += 1
    }

    /// 32 hexadecimal digits and the number of lines.
    package var description: String { "\(Self.hex(first))\(Self.hex(second))-\(count)" }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
