import Files
import JSON

/// The rows of a list, in a file of comma-separated values (RFC 4180) or as a JSON array of objects.
struct ListTable {
    /// A longer file is no list of bridges, bytes.
    private static let mostBytes = 512 << 20
    private static let mostFields = 1_000

    /// A row's values by the names of their columns, in small letters; and its line, or its number
    /// in an array.
    private(set) var rows: [(place: Int, values: [String: String])] = []

    init(_ path: String) throws(ExtractError) {
        let bytes = try Self.read(path)
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
        try reader.readArray { reader in
            number += 1
            let members = try reader.readValue().object ?? []
            var values: [String: String] = [:]
            for member in members {
                let text = member.value.string ?? member.value.double.map { "\($0)" }
                values[member.key.lowercased()] = text
            }
            rows.append((number, values))
        }
        try reader.finish()
    }

    private mutating func readCSV(_ bytes: [UInt8]) throws {
        var header: [String] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var (line, start) = (1, 1)
        var isQuoted = false
        var wasQuoted = false

        func endField() throws {
            fields.append(String(decoding: field, as: UTF8.self))
            field.removeAll(keepingCapacity: true)
            wasQuoted = false
            guard fields.count <= Self.mostFields else {
                throw ExtractError(path: "", reason: "line \(start): more than 1,000 fields")
            }
        }
        func endRow() throws {
            try endField()
            defer { fields.removeAll(keepingCapacity: true) }
            if fields == [""] { return }
            if header.isEmpty {
                header = fields.map { $0.lowercased() }
                return
            }
            var values: [String: String] = [:]
            for (name, value) in zip(header, fields) { values[name] = value }
            rows.append((start, values))
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for byte in bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...] {
            switch byte {
            // Within a field without quotes it is a mark of inches.
            case UInt8(ascii: "\"") where isQuoted || wasQuoted || field.isEmpty:
                // Two in a row within quotes are one.
                if !isQuoted, wasQuoted { field.append(byte) }
                isQuoted.toggle()
                wasQuoted = true
                continue
            case UInt8(ascii: ",") where !isQuoted:
                try endField()
            case UInt8(ascii: "\n") where !isQuoted:
                try endRow()
                line += 1
                start = line
            case UInt8(ascii: "\r") where !isQuoted:
                break
            default:
                if byte == UInt8(ascii: "\n") { line += 1 }
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
}
