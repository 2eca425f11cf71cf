/// The lines of a configuration file, in the syntax of systemd.syntax(7): sections in brackets,
/// `Key=value`, comments with # and ;, a backslash at the end of a line goes on with the next.
package struct INI: Sendable {
    /// One assignment, or a section header with an empty key.
    package struct Entry: Hashable, Sendable {
        /// Where it begins, from 1.
        package var line: Int
        /// Without the brackets.
        package var section: String
        /// Empty for the header of the section.
        package var key: String
        /// Without white space at its ends.
        package var value: String
    }

    /// A line that does not follow the syntax.
    package struct Fault: Hashable, Sendable {
        /// From 1.
        package var line: Int
        /// A phrase without a full stop.
        package var reason: String
    }

    /// In the order of the file.
    package private(set) var entries: [Entry] = []
    /// In the order of the file.
    package private(set) var faults: [Fault] = []

    /// CRLF and a byte order mark are tolerated.
    package init(_ bytes: [UInt8]) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        var section: String? = ""
        var pending: (line: Int, text: String)?
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            guard let whole = String(validating: bytes, as: UTF8.self), !whole.contains("\0") else {
                faults.append(Fault(line: index + 1, reason: "not UTF-8 text"))
                continue
            }
            let text = Self.trim(whole[...])
            // systemd.syntax(7): comments between continued lines are left out.
            if text.hasPrefix("#") || text.hasPrefix(";") { continue }
            let start = pending ?? (index + 1, "")
            if Self.goesOn(whole) {
                pending = (start.line, start.text + text.dropLast() + " ")
                continue
            }
            pending = nil
            read(Self.trim((start.text + text)[...]), at: start.line, &section)
        }
        if let pending { read(Self.trim(pending.text[...]), at: pending.line, &section) }
    }

    private mutating func read(_ text: Substring, at line: Int, _ section: inout String?) {
        guard !text.isEmpty else { return }
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), text.count > 2 else {
                // What follows belongs to an unknown section, and must not be taken for the one
                // before.
                section = nil
                faults.append(Fault(line: line, reason: "a section without its closing bracket"))
                return
            }
            let name = String(text.dropFirst().dropLast())
            section = name
            entries.append(Entry(line: line, section: name, key: "", value: ""))
            return
        }
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            faults.append(Fault(line: line, reason: "neither [Section] nor Key=value"))
            return
        }
        guard let section else { return }
        guard !section.isEmpty else {
            faults.append(Fault(line: line, reason: "an assignment before the first section"))
            return
        }
        entries.append(
            Entry(
                line: line, section: section, key: String(Self.trim(text[..<equals])),
                value: String(Self.trim(text[text.index(after: equals)...]))))
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    /// An odd number of backslashes: the last one is not itself escaped.
    private static func goesOn(_ line: String) -> Bool {
        let bytes = line.utf8.last == 0x0D ? line.utf8.dropLast() : line.utf8[...]
        return bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t" || character == "\r"
    }
}
