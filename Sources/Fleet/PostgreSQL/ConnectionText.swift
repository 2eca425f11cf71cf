import CPQ

// Unsafe: the options of libpq are copied and freed before the function that got them returns.

/// Parts of a conninfo string, see "Connection Strings" of libpq.
package enum ConnectionText {
    /// What is put after a conninfo string for a password of any characters.
    package static func password(_ secret: String) -> String {
        " " + text([Option(key: "password", value: secret)])
    }

    /// A conninfo string of these parts.
    package static func text(_ options: [Option]) -> String {
        options.map { option in
            // By scalar: a mark with an accent on it is another character to Swift, not to libpq.
            let value = option.value.unicodeScalars.map {
                $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)"
            }
            return "\(option.key)='\(value.joined())'"
        }.joined(separator: " ")
    }

    /// A part of a conninfo string.
    package struct Option: Hashable, Sendable {
        /// As libpq has it: `host`, `dbname`.
        package let key: String
        /// Without quotation marks.
        package let value: String

        package init(key: String, value: String) { (self.key, self.value) = (key, value) }
    }

    /// The parts that a conninfo string, or a URI, names.
    /// - Throws: where libpq does not understand it.
    package static func options(of address: String) throws(DatabaseError) -> [Option] {
        var message: UnsafeMutablePointer<CChar>?
        let list = unsafe PQconninfoParse(address, &message)
        defer {
            unsafe PQfreemem(message)
            unsafe PQconninfoFree(list)
        }
        guard let list = unsafe list else {
            let text = unsafe message.map { unsafe String(cString: $0) } ?? "no memory"
            throw DatabaseError(
                state: "", message: text.split(separator: "\n").first.map(String.init) ?? "")
        }
        var found: [Option] = []
        var next = unsafe list
        while let key = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                unsafe found.append(
                    Option(key: String(cString: key), value: String(cString: value)))
            }
            unsafe next += 1
        }
        return found
    }
}
