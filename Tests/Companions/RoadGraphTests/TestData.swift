import Glibc

/// The files beside the tests.
enum TestData {
    static func path(_ name: String) -> String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return here.joined(separator: "/") + "/Data/" + name
    }

    /// A small text file.
    static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

    /// A small file.
    static func bytes(_ name: String) -> [UInt8] { read(path(name)) }

    /// A small file anywhere; empty if it is not there.
    static func read(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }

    /// Replaces a file.
    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        for byte in bytes { fputc(Int32(byte), file) }
        fclose(file)
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
