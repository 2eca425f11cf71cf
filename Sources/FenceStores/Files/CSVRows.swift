/// The rows of a CSV text (RFC 4180): quoted fields may hold commas, doubled quotes and line ends;
/// lines end with LF or CRLF; a byte order mark at the front is ignored.
struct CSVRows {
    /// A row of more bytes is no row but a quote that never ends.
    private static let longestRow = 1 << 20

    private let input: FenceFileInput
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var position = 0
    private var end = 0
    /// Of the next byte, from 1.
    private(set) var line = 1
    private var hasStarted = false

    init(_ input: FenceFileInput) { self.input = input }

    struct Row {
        /// Where it begins, from 1.
        var line: Int
        var fields: [String]
        /// What is wrong with it; its fields are not to be used then.
        var flaw: String?
    }

    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted
    }

    /// The next row that is not blank; nil at the end.
    /// - Throws: ``FileFlaw`` for a quote that never ends.
    mutating func next() throws -> Row? {
        if !hasStarted {
            hasStarted = true
            try skipByteOrderMark()
        }
        while let row = try readRow() {
            let isBlank = row.fields.count == 1 && row.fields[0].isEmpty && row.flaw == nil
            if !isBlank { return row }
        }
        return nil
    }

    private mutating func readRow() throws -> Row? {
        var row = Row(line: line, fields: [], flaw: nil)
        var field: [UInt8] = []
        var state = State.fieldStart
        var length = 0
        while let byte = try nextByte() {
            length += 1
            guard length <= Self.longestRow else {
                throw FileFlaw(
                    line: row.line, reason: "a row of more than \(Self.longestRow) bytes")
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            switch (state, byte) {
            case (.fieldStart, UInt8(ascii: "\"")):
                state = .quoted
            case (.quoted, UInt8(ascii: "\"")):
                state = .quoteInQuoted
            case (.quoteInQuoted, UInt8(ascii: "\"")):
                field.append(byte)
                state = .quoted
            case (.quoted, _):
                field.append(byte)
            case (_, UInt8(ascii: ",")):
                row.add(field)
                field.removeAll(keepingCapacity: true)
                state = .fieldStart
            case (_, UInt8(ascii: "\n")):
                if field.last == UInt8(ascii: "\r") { field.removeLast() }
                row.add(field)
                return row
            case (.quoteInQuoted, UInt8(ascii: "\r")):
                field.append(byte)
                state = .plain
            case (.quoteInQuoted, _):
                row.flaw = row.flaw ?? "text behind a closing quote"
                state = .plain
            default:
                field.append(byte)
                state = .plain
            }
        }
        guard length > 0 else { return nil }
        if state == .quoted {
            throw FileFlaw(line: row.line, reason: "a quote that does not end")
        }
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        row.add(field)
        return row
    }

    private mutating func skipByteOrderMark() throws {
        var mark: [UInt8] = []
        while mark.count < 3, let byte = try nextByte() { mark.append(byte) }
        if mark != [0xEF, 0xBB, 0xBF] { position -= mark.count }
    }

    private mutating func nextByte() throws -> UInt8? {
        if position == end {
            // What has been read stays, as far as a byte order mark may have to be put back.
            let kept = min(end, 3)
            let tail = Array(buffer[(end - kept)..<end])
            buffer.replaceSubrange(0..<kept, with: tail)
            let count = try buffer.withUnsafeMutableBytes {
                try input.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[kept...]))
            }
            position = kept
            end = kept + count
            guard count > 0 else { return nil }
        }
        defer { position += 1 }
        return buffer[position]
    }
}

extension CSVRows.Row {
    fileprivate mutating func add(_ field: [UInt8]) {
        guard let text = String(validating: field, as: UTF8.self) else {
            flaw = flaw ?? "not UTF-8"
            fields.append("")
            return
        }
        fields.append(text)
    }
}
