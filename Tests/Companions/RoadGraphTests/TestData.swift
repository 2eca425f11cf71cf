import Glibc

/// The files beside the tests.
enum TestData {
    static func path(_ name: String) -> String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return here.joined(separator: "/") + "/Data/" + name
    }

    /// A small text file.
    static func text(_ name: String) -> String {
        var bytes: [UInt8] = []
        guard let file = fopen(path(name), "r") else { return "" }
        defer { fclose(file) }
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A line of CSV with quotes.
    static func fields(_ line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        var last: Character = ","
        for character in line {
            if character == "\"" {
                if !isQuoted, last == "\"" { fields[fields.count - 1].append("\"") }
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
            last = character
        }
        return fields
    }
}
