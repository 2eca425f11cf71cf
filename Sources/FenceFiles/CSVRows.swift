import Glibc

// Unsafe: memchr(3) searches the content of the buffer, which is at most its count.

/// The rows of a CSV text (RFC 4180): quoted fields may contain separators, doubled quotes and line
/// ends; lines end with LF, CRLF or CR, each with its own; a byte order mark at the front is ignored.
struct CSVRows {
    /// A longer row is assumed to be an unterminated quote.
    private static let longestRow = 1 << 19
    /// Fields of a row; further ones are not kept, and the row is refused.
    fileprivate static let mostFields = 1_000

    private let input: FenceFileInput
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var position = 0
    private var end = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1
    private var hasStarted = false
    /// The last row has no line end, as where a file was cut off.
    private(set) var endsInRow = false
    /// The last row read.
    private(set) var row = Row()

    /// The separator between two fields.
    let separator: UInt8

    init(_ input: FenceFileInput, separator: UInt8) {
        self.input = input
        self.separator = separator
    }

    /// A row, whose memory is reused for the next.
    struct Row {
        /// The line where it begins, from 1.
        fileprivate(set) var line = 0
        /// What is wrong with it; then its fields must not be used.
        fileprivate(set) var flaw: String?
        /// The contents of the fields, without quotes; UTF-8 unless there is a flaw.
        fileprivate(set) var bytes: [UInt8] = []
        /// The range of each in the bytes.
        fileprivate(set) var fields: [Range<Int>] = []
        /// Start of the field being read.
        fileprivate var start = 0

        func text(_ field: Int) -> String {
            String(decoding: bytes[fields[field]], as: UTF8.self)
        }
    }

    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted
    }

    /// Reads the next row that has something in a field; false at the end.
    /// - Throws: ``FileFlaw`` for an unterminated quote.
    mutating func next() throws -> Bool {
        if !hasStarted {
            hasStarted = true
            try skipByteOrderMark()
        }
        while true {
            row.begin(at: line)
            guard try readPlainRow() ? true : try readRow() else { return false }
            row.end()
            if !row.isBlank { return true }
            endsInRow = false
        }
    }

    /// A row without quotes that is completely in the buffer, as most are; false for any other row.
    private mutating func readPlainRow() throws -> Bool {
        let (start, held) = (position, end)
        let last = unsafe buffer.withUnsafeBytes { bytes -> Int? in
            guard held > start, let base = bytes.baseAddress else { return nil }
            let from = unsafe base + start
            func find(_ byte: UInt8, in count: Int) -> Int? {
                unsafe memchr(from, Int32(byte), count).map {
                    unsafe UnsafeRawPointer($0) - from
                }
            }
            let feed = find(UInt8(ascii: "\n"), in: held - start)
            let count = find(UInt8(ascii: "\r"), in: feed ?? held - start) ?? feed
            guard let count, count < Self.longestRow, find(UInt8(ascii: "\""), in: count) == nil
            else { return nil }
            return start + count
        }
        guard let last else { return false }
        var stop = last
        if buffer[last] == UInt8(ascii: "\r") {
            // Whether a line feed follows is not known yet.
            guard last + 1 < held else { return false }
            if buffer[last + 1] == UInt8(ascii: "\n") { stop += 1 }
        }
        row.bytes.append(contentsOf: buffer[start..<last])
        let separator = separator
        for index in start..<last where buffer[index] == separator {
            row.add(row.start..<index - start)
            row.start = index - start + 1
        }
        row.endField()
        position = stop + 1
        line += 1
        return true
    }

    private mutating func readRow() throws -> Bool {
        var state = State.fieldStart
        var length = 0
        var isAfterReturn = false
        while let byte = try nextByte() {
            length += 1
            guard length <= Self.longestRow else {
                throw FileFlaw(
                    line: row.line, reason: "a row of more than \(Self.longestRow) bytes")
            }
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && !isAfterReturn {
                line += 1
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
            switch (state, byte) {
            case (.fieldStart, UInt8(ascii: "\"")):
                state = .quoted
            case (.quoted, UInt8(ascii: "\"")):
                state = .quoteInQuoted
            case (.quoteInQuoted, UInt8(ascii: "\"")):
                row.bytes.append(byte)
                state = .quoted
            case (.quoted, _):
                row.bytes.append(byte)
            case (_, separator):
                row.endField()
                state = .fieldStart
            case (_, UInt8(ascii: "\n")):
                row.endField()
                return true
            case (_, UInt8(ascii: "\r")):
                if let next = try nextByte(), next != UInt8(ascii: "\n") { position -= 1 }
                row.endField()
                return true
            case (.quoteInQuoted, _):
                row.flaw = row.flaw ?? "text behind a closing quote"
                state = .plain
            default:
                row.bytes.append(byte)
                state = .plain
            }
        }
        guard length > 0 else { return false }
        if state == .quoted {
            throw FileFlaw(line: row.line, reason: "a quote that does not end")
        }
        endsInRow = true
        row.endField()
        return true
    }

    private mutating func skipByteOrderMark() throws {
        var mark: [UInt8] = []
        while mark.count < 3, let byte = try nextByte() { mark.append(byte) }
        if mark != [0xEF, 0xBB, 0xBF] { position -= mark.count }
    }

    private mutating func nextByte() throws -> UInt8? {
        if position == end {
            // Keeps bytes that have been read, since a byte order mark may have to be put back.
            let kept = min(end, 3)
            let tail = Array(buffer[(end - kept)..<end])
            buffer.replaceSubrange(0..<kept, with: tail)
            let count = try unsafe buffer.withUnsafeMutableBytes {
                try unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[kept...]))
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
    fileprivate mutating func begin(at line: Int) {
        self.line = line
        flaw = nil
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        start = 0
    }

    /// Nothing but blanks in any field, as spreadsheets write the rows below a table.
    fileprivate var isBlank: Bool {
        flaw == nil
            && fields.allSatisfy { field in bytes[field].allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    }

    fileprivate mutating func endField() {
        add(start..<bytes.count)
        start = bytes.count
    }

    @inline(__always)
    fileprivate mutating func add(_ field: Range<Int>) {
        guard fields.count < CSVRows.mostFields else {
            flaw = flaw ?? "more than \(CSVRows.mostFields) fields"
            return
        }
        fields.append(field)
    }

    fileprivate mutating func end() {
        guard bytes.contains(where: { $0 >= 0x80 || $0 == 0 }) else { return }
        if bytes.contains(0) {
            flaw = flaw ?? "a NUL byte, as in a file that was not written to its end"
        }
        // Field by field: across a separator, two halves of a character could appear valid.
        for field in fields
        where flaw == nil && String(validating: bytes[field], as: UTF8.self) == nil {
            flaw = "not UTF-8"
        }
    }
}
