/// What a file defines: its tables, indexes, triggers and views, as SQLite keeps them.
struct Schema {
    /// One of them.
    struct Object: Hashable, CustomStringConvertible {
        /// `table`, `index`, `trigger` or `view`.
        var type: String
        var name: String
        /// The table or view that it is of; of these, the name.
        var table: String
        /// Its definition, without what means nothing; empty where SQLite makes it by itself.
        var tokens: [String]

        /// It has no effect on what we write: a table that nobody has to look at, or an index of
        /// columns, which refuses nothing and works nothing out.
        var isPlain: Bool {
            switch type {
            case "table":
                tokens.first == "create" && !tokens.contains { Self.reaching.contains($0) }
            case "index": isPlainIndex
            default: false
            }
        }

        private static let reaching: Set<String> = ["virtual", "references", "foreign"]

        /// `CREATE INDEX name ON table (column, …) [WHERE column IS [NOT] NULL]`, as we write them.
        private var isPlainIndex: Bool {
            guard tokens.starts(with: ["create", "index"]), tokens.count > 6, tokens[3] == "on",
                tokens[5] == "(", let end = tokens.firstIndex(of: ")")
            else { return false }
            let columns = tokens[6..<end]
            guard !columns.isEmpty,
                columns.enumerated().allSatisfy({ place, token in
                    place % 2 == 0 ? SQLTokens.isName(token) : token == ","
                })
            else { return false }
            let rest = Array(tokens[(end + 1)...])
            guard !rest.isEmpty else { return true }
            return rest.count > 2 && rest[0] == "where" && SQLTokens.isName(rest[1])
                && ["is null", "is not null"].contains(rest[2...].joined(separator: " "))
        }

        var description: String {
            "\(type) \"\(name)\"" + (type == "table" || type == "view" ? "" : " of \"\(table)\"")
        }
    }

    let objects: [Object]

    /// Reads it; runs nothing of what it defines.
    init(_ database: Database) throws {
        var objects: [Object] = []
        try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
            objects.append(
                Object(
                    type: row.text(0), name: row.text(1), table: row.text(2),
                    tokens: SQLTokens.of(row.text(3))))
            return true
        }
        self.objects = objects
    }

    /// The names of its tables.
    var tables: Set<String> { Set(objects.lazy.filter { $0.type == "table" }.map(\.name)) }

    /// Those that `other` has not, an altered one included.
    func beyond(_ other: Schema) -> [Object] {
        var known = other.objects.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return objects.filter { object in
            guard let count = known[object], count > 0 else { return true }
            known[object] = count - 1
            return false
        }
    }

    /// The first table of `own` that this one defines in a way which has an effect of its own: with
    /// a constraint or an expression that `own` lacks. More columns have none, nor has a word that a
    /// flipped bit has changed and SQLite understands all the same.
    func firstArmed(comparedTo own: Schema) -> Object? {
        objects.first { object in
            guard object.type == "table",
                let ours = own.objects.first(where: { $0.type == "table" && $0.name == object.name }
                )
            else { return false }
            if ours.tokens.contains("virtual") { return ours.tokens != object.tokens }
            let expected = SQLTokens.effects(in: ours.tokens)
            return SQLTokens.effects(in: object.tokens).contains { word, count in
                count > expected[word, default: 0]
            }
        }
    }
}

/// The words and signs of a definition.
enum SQLTokens {
    /// Without spaces; names and words in lower case, quoted or not. SQLite keeps a definition as it
    /// was written, and different versions of it write differently what they make themselves.
    static func of(_ sql: String) -> [String] {
        var tokens: [String] = []
        var rest = Substring(sql).unicodeScalars
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else if let end = closing[first] {
                rest.removeFirst()
                let text = rest.prefix { $0 != end }
                rest = rest.dropFirst(text.count + 1)
                // A text is not a name.
                tokens.append(first == "'" ? "'\(String(text))'" : String(text).lowercased())
            } else {
                let word = rest.prefix(while: isOfWord)
                tokens.append(word.isEmpty ? String(first) : String(word).lowercased())
                rest = rest.dropFirst(max(word.count, 1))
            }
        }
        return tokens
    }

    private static let closing: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "`": "`", "[": "]", "'": "'",
    ]

    private static func isOfWord(_ character: Unicode.Scalar) -> Bool {
        character.properties.isAlphabetic || ("0"..."9").contains(character) || character == "_"
    }

    /// Whether it is a word, quoted or not.
    static func isName(_ token: String) -> Bool {
        token.unicodeScalars.allSatisfy(isOfWord) && token.first?.isNumber == false
    }

    /// How often each word occurs that begins something which is worked out, or may refuse a row; and
    /// each text in parentheses among the columns, for what is worked out stands in some.
    static func effects(in tokens: [String]) -> [String: Int] {
        var found: [String: Int] = [:]
        var depth = 0
        var inner = ""
        for token in tokens {
            if token == ")" {
                depth -= 1
                if depth == 1 { found["(\(inner))", default: 0] += 1 }
            }
            if depth > 1 { inner += token + " " }
            if token == "(" {
                depth += 1
                if depth == 2 { inner = "" }
            }
        }
        for (index, token) in tokens.enumerated() {
            let next = tokens.indices.contains(index + 1) ? tokens[index + 1] : ""
            let hasEffect =
                switch token {
                // A constant costs nothing.
                case "default": next == "("
                // "NOT NULL DEFAULT 0" refuses nothing of ours.
                case "null":
                    index > 0 && tokens[index - 1] == "not" && next != "default"
                default: words.contains(token)
                }
            if hasEffect { found[token, default: 0] += 1 }
        }
        return found
    }

    private static let words: Set<String> = [
        "as", "check", "collate", "conflict", "foreign", "generated", "references", "strict",
        "unique", "virtual",
    ]
}
