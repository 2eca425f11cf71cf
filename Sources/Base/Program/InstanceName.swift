/// Names of instances of companions: of a source, of a destination. Each is a part of a bus name, of
/// a unit, of a file and of an origin.
package enum InstanceName {
    /// Whether it is 1 to 64 letters, digits, `-` and `_`, and begins with a letter.
    package static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else {
            return false
        }
        return text.utf8.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension InstanceName {
    /// The one in the operands of a companion, which has no other.
    package static func only(_ operands: [String]) throws(Failure) -> String {
        guard let name = operands.first else { throw .missing(argument: "NAME") }
        guard operands.count == 1 else { throw .unexpected(operands[1]) }
        guard isValid(name) else {
            throw .usage("no name of letters, digits, - and _ that begins with a letter", name)
        }
        return name
    }
}
