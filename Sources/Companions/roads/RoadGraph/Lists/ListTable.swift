import Files
import JSON

/// The rows of a list, in a file of comma-separated values (RFC 4180) or as a JSON array of objects.
struct ListTable {
    /// A longer file is no list of bridges, bytes.
    private static let mostBytes = 512 << 20
    private static let mostFields = 1_000

    /// A row's values by the names of their columns, in small letters; its line, or its number in an
    /// array; and whether it has more fields than the header, so that nobody knows which is which.
    private(set) var rows: [(number: Int, values: [String: String], isLong: Bool)] = []
    /// The names of the columns as they are written, by those in small letters.
    private(set) var columns: [String: String] = [:]
    /// Those that are there more than once.
    private(set) var repeated: Set<String> = []
    /// What the number of a row counts: lines, or entries of an array.
    private(set) var counted = "line"

    init(_ path: String) throws(ExtractError) {
        try self.init(Self.read(path), path)
    }

    /// - Parameter path: for what is wrong.
    init(_ bytes: [UInt8], _ path: String) throws(ExtractError) {
        guard !bytes.prefix(64).contains(0) else {
            throw ExtractError(path: path, reason: "text in UTF-16: save it as UTF-8")
        }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        do {
            if first == UInt8(ascii: "[") { try readJSON(bytes) } else { try readCSV(bytes) }
        } catch let error as ExtractError {
            throw ExtractError(path: path, reason: error.reason)
        } catch {
            throw ExtractError(path: path, reason: "\(error)")
        }
    }

    private static func read(_ path: String) throws(ExtractError) -> [UInt8] {
        do throws(UnreadableFile) {
            return try OpenFile(any: path).contents(limit: mostBytes)
        } catch { throw ExtractError(path: path, reason: error.description) }
    }

    private mutating func readJSON(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes)
        var number = 0
        counted = "entry"
        try reader.readArray { reader in
            number += 1
            let members = try reader.readValue().object ?? []
            var values: [String: String] = [:]
            for member in members {
                let text = member.value.string ?? member.value.double.map { "\($0)" }
                values[member.key.lowercased()] = text
                columns[member.key.lowercased()] = member.key
            }
            rows.append((number, values, false))
        }
        try reader.finish()
    }

    private mutating func readCSV(_ bytes: [UInt8]) throws {
        var header: [String] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var (line, start) = (1, 1)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        let named = Self.separator(namedBy: text)
        let separator = named ?? Self.separator(text)
        var isQuoted = false
        var wasQuoted = false
        var hasReturn = false

        func endField() throws {
            fields.append(Self.text(field))
            field.removeAll(keepingCapacity: true)
            wasQuoted = false
            guard fields.count <= Self.mostFields else {
                throw ExtractError(path: "", reason: "line \(start): more than 1,000 fields")
            }
        }
        func endRow() throws {
            try endField()
            defer { fields.removeAll(keepingCapacity: true) }
            if fields.allSatisfy(\.trimmed.isEmpty) || start == 1 && named != nil { return }
            if header.isEmpty {
                header = fields.map { $0.trimmed.lowercased() }
                for (name, text) in zip(header, fields) {
                    if columns[name] != nil { repeated.insert(name) }
                    columns[name] = text.trimmed
                }
                return
            }
            var values: [String: String] = [:]
            for (name, value) in zip(header, fields) { values[name] = value }
            let isLong = !fields.dropFirst(header.count).allSatisfy(\.trimmed.isEmpty)
            rows.append((start, values, isLong))
        }
        for byte in text {
            // A line ends with \n, \r\n, or \r alone.
            if byte == UInt8(ascii: "\n"), hasReturn {
                hasReturn = false
                continue
            }
            hasReturn = byte == UInt8(ascii: "\r")
            switch byte {
            // Within a field without quotes it is a mark of inches.
            case UInt8(ascii: "\"") where isQuoted || wasQuoted || field.isEmpty:
                // Two in a row within quotes are one.
                if !isQuoted, wasQuoted { field.append(byte) }
                isQuoted.toggle()
                wasQuoted = true
                continue
            case separator where !isQuoted:
                try endField()
            case UInt8(ascii: "\n") where !isQuoted, UInt8(ascii: "\r") where !isQuoted:
                try endRow()
                line += 1
                start = line
            default:
                if byte == UInt8(ascii: "\n") || hasReturn { line += 1 }
                field.append(byte)
                wasQuoted = false
            }
        }
        guard !isQuoted else {
            throw ExtractError(path: "", reason: "line \(start): a quotation mark is not closed")
        }
        if !field.isEmpty || !fields.isEmpty { try endRow() }
        guard !header.isEmpty else { throw ExtractError(path: "", reason: "empty") }
    }

    /// As Excel has it in a line before the header, `sep=;`; nil: there is no such line.
    private static func separator(namedBy text: ArraySlice<UInt8>) -> UInt8? {
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard line.count == 5,
            String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        return line.last
    }

    /// That of the fields in the first line: semicolons or tabs, if it has more of them than commas.
    private static func separator(_ text: ArraySlice<UInt8>) -> UInt8 {
        let header = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        func count(_ mark: UInt8) -> Int { header.reduce(0) { $0 + ($1 == mark ? 1 : 0) } }
        let comma = UInt8(ascii: ",")
        return [UInt8(ascii: ";"), UInt8(ascii: "\t")].max { count($0) < count($1) }
            .flatMap { count($0) > count(comma) ? $0 : nil } ?? comma
    }

    /// UTF-8, or else a code page of Windows, whose quotation marks are taken for feet and inches.
    private static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }
}
