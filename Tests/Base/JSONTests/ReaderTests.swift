import Testing

@testable import JSON

@Suite("The streaming reader")
struct ReaderTests {
    /// Every token with its content, its position and the value of a number.
    private static func trace(_ reader: inout JSONReader) throws -> [String] {
        var lines: [String] = []
        while let token = try reader.next() {
            let content =
                switch token {
                case .key, .string: reader.text
                case .number: try "\(reader.number())"
                default: ""
                }
            lines.append("\(reader.position) \(token) \(content)")
        }
        return lines
    }

    private static let mixed = """
        {"type" : "Feature","id":7.0,
         "geometry":{"type":"Polygon","coordinates":[[[-1.25e1,52.52000659999999],[0,-0.0]]]},
         "properties":{"na\\u0308me \\ud83d\\ude97 \\"x\\"":"Straße 🚗 €","ok":true,"no":false,
         "none":null,"big":9007199254740993,"tiny":1e-310,"long":"\(String(repeating: "y", count: 50))"}}
        [ ] "end" 12
        """

    @Test("a cut at any byte changes no token")
    func cuts() throws {
        let bytes = Array(Self.mixed.utf8)
        var whole = JSONReader(bytes)
        let expected = try Self.trace(&whole)
        #expect(expected.count == 45)
        for cut in 0...bytes.count {
            var parts = [bytes[..<cut], bytes[cut...]].filter { !$0.isEmpty }[...]
            var reader = JSONReader { room in
                guard let part = parts.popFirst() else { return 0 }
                room.copyBytes(from: part)
                return part.count
            }
            try #expect(Self.trace(&reader) == expected, "cut at \(cut)")
        }
    }

    @Test("the size of the chunks changes no token", arguments: 1...40)
    func pieces(size: Int) throws {
        let bytes = Array(Self.mixed.utf8)
        var whole = JSONReader(bytes)
        var reader = readerInPieces(bytes, of: size)
        let expected = try Self.trace(&whole)
        try #expect(Self.trace(&reader) == expected)
    }

    @Test("a long text is read through a small buffer, which does not grow")
    func constantMemory() throws {
        var left = 200_000
        var largest = 0
        var reader = JSONReader(bufferSize: 256) { room in
            largest = max(largest, room.count)
            left -= 1
            guard left >= -1 else { return 0 }
            let text = left < 0 ? "0]" : (left == 199_999 ? "[" : "") + "[13.4,52.5],\n"
            room.copyBytes(from: text.utf8)
            return text.utf8.count
        }
        var sum = 0.0
        try reader.readArray { reader in
            guard try reader.peek() == .beginArray else { return }
            try reader.readArray { sum += try $0.readDouble() }
        }
        try reader.finish()
        #expect((sum - 200_000 * 65.9).magnitude < 1)
        #expect(largest <= 256)
        #expect(reader.position.line == 200_001)
    }

    @Test("record separators and line breaks separate values at the top (RFC 8142)")
    func sequence() throws {
        var reader = JSONReader("\u{1E}{\"a\":1}\n\u{1E}[2]\n\u{1E}\u{1E}3\n\u{1E}")
        var values: [String] = []
        try reader.skipRecordSeparators()
        while try reader.peek() != nil {
            values.append(try reader.rawValue())
            try reader.skipRecordSeparators()
        }
        #expect(values == ["{\"a\":1}", "[2]", "3"])
    }

    @Test("a raw value is compact and otherwise as it was written")
    func raw() throws {
        var reader = JSONReader(#" [ { "a\u0062" : [ 1.50 , 1e400 ], "c":{ } , "d" : "\/é" }, 2]"#)
        #expect(try reader.next() == .beginArray)
        #expect(try reader.rawValue() == #"{"a\u0062":[1.50,1e400],"c":{},"d":"\/é"}"#)
        #expect(try reader.rawValue() == "2")
        #expect(try reader.next() == .endArray)
        #expect(try reader.next() == nil)
    }

    @Test("content that the closure for a member or an element leaves unread is skipped")
    func skipping() throws {
        var reader = JSONReader(#"{"a":{"b":[1,{}]},"c":[10,[20],"x",{"y":0},40],"d":5}"#)
        var seen: [String] = []
        try reader.readObject { reader, key in
            seen.append(key)
            if key == "d" { seen.append("\(try reader.readDouble())") }
            guard key == "c" else { return }
            try reader.readArray { reader in
                if try reader.peek() == .number { seen.append(try reader.readNumber().text) }
            }
        }
        try reader.finish()
        #expect(seen == ["a", "c", "10", "40", "d", "5.0"])
    }

    @Test("a value left half read by its closure is an error")
    func halfRead() {
        var reader = JSONReader(#"{"a":[1,2],"b":3}"#)
        let error = #expect(throws: JSONError.self) {
            try reader.readObject { reader, _ in _ = try reader.next() }
        }
        #expect(error?.reason == "a value has been read in part only")
    }

    @Test("a value of another kind is reported with its position")
    func kinds() {
        var reader = JSONReader("{\n  \"radius\": \"12\"}")
        let error = #expect(throws: JSONError.self) {
            try reader.readObject { reader, _ in _ = try reader.readDouble() }
        }
        #expect(
            error?.description
                == "line 2, column 13 (byte 14): a string where a number was expected")
    }

    @Test(
        "an error has its position and reason",
        arguments: [
            ("[1,\n 2,\n 03]", "line 3, column 2 (byte 9): a number with a leading zero"),
            ("{\"a\":1,}", "line 1, column 8 (byte 7): '}' where a key was expected"),
            ("[1 2]", "line 1, column 4 (byte 3): '2' where a comma or ] was expected"),
            ("[1\n", "line 2, column 1 (byte 3): the text ends too early"),
            ("[\"é\tb\"]", "line 1, column 5 (byte 4): a control character in a string"),
            ("[\"ab\\q\"]", "line 1, column 5 (byte 4): an unknown escape"),
            ("[\"\\ud800\"]", "line 1, column 3 (byte 2): half of a surrogate pair"),
            ("[1,\n\u{1}]", "line 2, column 1 (byte 4): byte 0x01 where a value was expected"),
            ("[-x]", "line 1, column 3 (byte 2): 'x' where a digit was expected"),
            ("[1.]", "line 1, column 4 (byte 3): ']' where a digit was expected"),
            ("[2, 1e999]", "line 1, column 5 (byte 4): a number beyond the range of a double"),
            ("[tru]", "line 1, column 2 (byte 1): a word that is not true"),
            ("12x", "line 1, column 3 (byte 2): 'x' where the end of the value was expected"),
            ("{} {}", "line 1, column 4 (byte 3): something follows the end of the value"),
            ("[\"abc", "line 1, column 2 (byte 1): a string without its closing quote"),
        ])
    func errors(text: String, expected: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == expected)
    }

    @Test(
        "a tree of more values than the limit is refused, and one of as many is not",
        arguments: [
            ("[1,[2],{},[]]", 8), ("{\"a\":{\"b\":[true]}}", 7), ("\"text\"", 1), ("[]", 1),
            ("[[[[]]]]", 7), ("{\"a\":0,\"b\":null}", 4),
        ])
    func values(_ text: String, _ count: Int) throws {
        var limits = JSONLimits()
        limits.values = count
        _ = try JSONValue(parsing: text, limits: limits)
        // Each value has its own.
        var reader = JSONReader("[\(text),\(text)]", limits: limits)
        try reader.readArray { _ = try $0.readValue() }
        limits.values = count - 1
        #expect(throws: JSONError.self) { try JSONValue(parsing: text, limits: limits) }
    }

    @Test("a string, a value and a depth beyond the limits are refused, at them they are not")
    func limits() throws {
        var limits = JSONLimits()
        limits.stringBytes = 100
        limits.valueBytes = 300
        limits.depth = 3
        func read(_ text: String) throws { _ = try JSONValue(parsing: text, limits: limits) }
        func capture(_ text: String) throws {
            var reader = JSONReader(text, limits: limits)
            _ = try reader.rawValue()
        }
        for take in [read, capture] {
            try take("\"\(String(repeating: "a", count: 90))\"")
            #expect(throws: JSONError.self) {
                try take("\"\(String(repeating: "a", count: 120))\"")
            }
            #expect(throws: JSONError.self) {
                try take("\"\(String(repeating: "\\n", count: 60))\"")
            }
            try take("[\(String(repeating: "1,", count: 140))1]")
            #expect(throws: JSONError.self) {
                try take("[\(String(repeating: "1,", count: 160))1]")
            }
            try take("[[[]]]")
            #expect(throws: JSONError.self) { try take("[[[[]]]]") }
        }
        var reader = JSONReader("[\(String(repeating: "1,", count: 160))1]", limits: limits)
        try reader.skipValue()
    }

    @Test("errors of the source are passed on")
    func sourceFails() {
        struct Unreadable: Error {}
        var calls = 0
        var reader = JSONReader { room in
            calls += 1
            guard calls == 1 else { throw Unreadable() }
            room.copyBytes(from: "[1,".utf8)
            return 3
        }
        #expect(throws: Unreadable.self) { try reader.skipValue() }
    }
}
