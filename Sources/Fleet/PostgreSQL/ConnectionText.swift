import CPQ

// Unsafe: the options of libpq are copied and freed before the function that got them returns.

/// Connection strings, see "Connection Strings" of libpq. What libpq says of one that it does not
/// understand repeats it, with the password in it: nothing here does.
package enum ConnectionText {
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
        /// Whether nobody else may read it.
        let isSecret: Bool

        package init(key: String, value: String, isSecret: Bool = false) {
            (self.key, self.value, self.isSecret) = (key, value, isSecret)
        }
    }

    /// The parts that a conninfo string, a URI or the name of a database names.
    /// - Throws: where libpq does not understand it.
    package static func options(of address: String) throws(DatabaseError) -> [Option] {
        // As libpq takes a name where it expands one; nothing that a URI of another kind has.
        if !address.isEmpty, !address.contains(where: { "=/:@' \t\n".contains($0) }) {
            return [Option(key: "dbname", value: address)]
        }
        let list = unsafe PQconninfoParse(address, nil)
        defer { unsafe PQconninfoFree(list) }
        guard let list = unsafe list else {
            throw DatabaseError(state: "", message: "no connection string of libpq")
        }
        var found: [Option] = []
        var next = unsafe list
        while let key = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                // A display character of `*` says "Password field - hide value".
                let isSecret = unsafe next.pointee.dispchar.map { unsafe $0.pointee } == 0x2A
                unsafe found.append(
                    Option(
                        key: String(cString: key), value: String(cString: value),
                        isSecret: isSecret))
            }
            unsafe next += 1
        }
        return found
    }

    /// The parts of one of a command line.
    /// - Throws: also where there is a secret in it, which every user of the machine would see there.
    package static func options(
        onCommandLine address: String
    ) throws(DatabaseError) -> [Option] {
        let options = try options(of: address)
        guard let secret = options.first(where: \.isSecret) else { return options }
        throw DatabaseError(
            state: "", message: "no \(secret.key) on a command line; a passfile has it")
    }

    /// A conninfo string of the same, with another password; nil: with that which it has.
    package static func text(
        of address: String, password: String? = nil
    ) throws(DatabaseError) -> String {
        var options = try options(of: address)
        if let password {
            options.removeAll { $0.key == "password" }
            options.append(Option(key: "password", value: password, isSecret: true))
        }
        return text(options)
    }
}
