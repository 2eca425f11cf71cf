import Testing

@testable import JSON

/// A document with the name shown by the tests.
struct Document: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]

    init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    var testDescription: String { name }
}

@Suite("Valid and invalid JSON (RFC 8259)")
struct DocumentTests {
    static let valid: [Document] = [
        Document("an empty object", "{}"),
        Document("an empty array", "[]"),
        Document("a lone number", "42"),
        Document("a lone negative zero", "-0"),
        Document("a lone string", "\"\""),
        Document("a lone word", "null"),
        Document("white space of all four kinds", " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 ] \n"),
        Document("white space around a colon", "{\"a\" \n:\t1 }"),
        Document("a key twice", "{\"a\":1,\"a\":2}"),
        Document("an empty key", "{\"\":0}"),
        Document("a key with an escape", "{\"\\u0061\\n\":0}"),
        Document("every number form", "[0,-0,1,-1,10,0.5,-0.5,1.25,1e1,1E1,1e+1,1e-1,0e0,1.5E-7]"),
        Document("every short escape", "\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t\""),
        Document("hexadecimal digits in both cases", "\"\\u00e9\\u00E9\\uABCD\\uabcd\""),
        Document("a surrogate pair", "\"\\ud83d\\ude97\""),
        Document("an escaped NUL", "\"\\u0000\""),
        Document("noncharacters", "\"\\uFFFF\\uFDD0\u{FFFF}\u{10FFFF}\""),
        Document("DEL and line separators as they are", "\"\u{7F}\u{2028}\u{2029}\""),
        Document("UTF-8 of two, three and four bytes", "\"é € 🚗 \u{80}\u{7FF}\u{800}\u{FFFD}\""),
        Document("a byte order mark", bytes: [0xEF, 0xBB, 0xBF, 0x5B, 0x5D]),
        Document("64 arrays", deep(64)),
    ]

    static let invalid: [Document] = [
        Document("nothing", ""),
        Document("only white space", " \n"),
        Document("only a byte order mark", bytes: [0xEF, 0xBB, 0xBF]),
        Document("half a byte order mark", bytes: [0xEF, 0xBB, 0x5B, 0x5D]),
        Document("a byte order mark inside", bytes: [0x5B, 0xEF, 0xBB, 0xBF, 0x5D]),
        Document("UTF-16", bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]),
        Document("a comma before ]", "[1,]"),
        Document("a comma after [", "[,1]"),
        Document("two commas", "[1,,2]"),
        Document("no comma", "[1 2]"),
        Document("a comma before }", "{\"a\":1,}"),
        Document("a comma after {", "{,}"),
        Document("no colon", "{\"a\" 1}"),
        Document("two colons", "{\"a\"::1}"),
        Document("a colon in an array", "[\"a\":1]"),
        Document("a comma for a colon", "{\"a\",1}"),
        Document("no value", "{\"a\":}"),
        Document("a key without quotes", "{a:1}"),
        Document("a number for a key", "{1:1}"),
        Document("single quotes", "['a']"),
        Document("an array closed by }", "[1}"),
        Document("an object closed by ]", "{\"a\":1]"),
        Document("an open array", "[1"),
        Document("an open empty array", "["),
        Document("an open object", "{\"a\":1"),
        Document("an object that ends after its key", "{\"a\""),
        Document("an object that ends after its colon", "{\"a\":"),
        Document("a lone ]", "]"),
        Document("a lone comma", ","),
        Document("something behind", "[] x"),
        Document("a second value", "1 2"),
        Document("a bracket too many", "[]]"),
        Document("a comment", "[1/*c*/]"),
        Document("a hash comment", "# c\n1"),
        Document("a capital word", "True"),
        Document("a word cut short", "tru"),
        Document("a longer word", "nulll"),
        Document("a longer word in an array", "[nulll]"),
        Document("NaN", "NaN"),
        Document("infinity", "[Infinity]"),
        Document("minus infinity", "[-Infinity]"),
        Document("a plus sign", "+1"),
        Document("a leading zero", "012"),
        Document("a leading zero behind a minus", "-01"),
        Document("only a minus", "-"),
        Document("a minus and a space", "[- 1]"),
        Document("two minuses", "--1"),
        Document("a leading point", ".5"),
        Document("a trailing point", "1."),
        Document("a trailing point in an array", "[1.]"),
        Document("a point and an exponent", "1.e1"),
        Document("two points", "1.2.3"),
        Document("an exponent without digits", "1e"),
        Document("a signed exponent without digits", "[1e+]"),
        Document("an exponent with a point", "1e1.5"),
        Document("hexadecimal", "0x1F"),
        Document("a digit group", "1_000"),
        Document("full-width digits", "[１]"),
        Document("a letter behind a number", "[1a]"),
        Document("words run together", "truefalse"),
        Document("a number beyond the largest double", "1e309"),
        Document("a minus number beyond the largest double", "[-1.8e308]"),
        Document("a number with a huge exponent", "1e99999999999999999999999"),
        Document("a number of 2000 digits", String(repeating: "9", count: 2000)),
        Document("an open string", "\"abc"),
        Document("an open string after a backslash", "\"abc\\"),
        Document("an open string after an escaped quote", "\"abc\\\""),
        Document("an unknown escape", "\"\\x41\""),
        Document("a capital escape", "\"\\N\""),
        Document("an escaped line break", "\"\\\n\""),
        Document("three hexadecimal digits", "\"\\u123\""),
        Document("a letter among hexadecimal digits", "\"\\u12G4\""),
        Document("a capital U escape", "\"\\U0041\""),
        Document("a high surrogate alone", "\"\\ud800\""),
        Document("a high surrogate and a letter", "\"\\ud800a\""),
        Document("a high surrogate and another escape", "\"\\ud800\\n\""),
        Document("two high surrogates", "\"\\ud800\\ud800\""),
        Document("a low surrogate alone", "\"\\udc00\""),
        Document("surrogates the wrong way round", "\"\\udc00\\ud800\""),
        Document("a line break in a string", "\"a\nb\""),
        Document("a tab in a string", "\"a\tb\""),
        Document("a NUL in a string", "\"a\0b\""),
        Document("the last control character in a string", "\"\u{1F}\""),
        Document("a NUL outside", "[1,\0]"),
        Document("a form feed outside", "[1,\u{0C}2]"),
        Document("a no-break space outside", "[1,\u{A0}2]"),
        Document("a record separator inside", "[1,\u{1E}2]"),
        Document("a lone continuation byte", bytes: string(0x80)),
        Document("an overlong slash", bytes: string(0xC0, 0xAF)),
        Document("an overlong slash in three bytes", bytes: string(0xE0, 0x80, 0xAF)),
        Document("an overlong slash in four bytes", bytes: string(0xF0, 0x80, 0x80, 0xAF)),
        Document("a surrogate in UTF-8", bytes: string(0xED, 0xA0, 0x80)),
        Document("a scalar beyond U+10FFFF", bytes: string(0xF4, 0x90, 0x80, 0x80)),
        Document("the byte FE", bytes: string(0xFE)),
        Document("Latin-1", bytes: string(0xE9, 0x61)),
        Document("a character cut by the quote", bytes: string(0xE2, 0x82)),
        Document("a character cut by the end", bytes: [0x22, 0xF0, 0x9F, 0x9A]),
        Document("a bad third byte", bytes: string(0xE2, 0x82, 0x41)),
        Document("65 arrays", deep(65)),
        Document("a depth bomb", String(repeating: "[", count: 1_000_000)),
        Document("a depth bomb of objects", String(repeating: "{\"a\":", count: 200_000)),
    ]

    static func deep(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    static func string(_ bytes: UInt8...) -> [UInt8] { [0x22] + bytes + [0x22] }

    @Test("a good document is read, skipped and captured", arguments: valid)
    func good(_ document: Document) throws {
        let value = try JSONValue(parsing: document.bytes)

        var skipping = JSONReader(document.bytes)
        try skipping.skipValue()
        try skipping.finish()

        var capturing = JSONReader(document.bytes)
        let raw = try capturing.rawValue()
        try capturing.finish()
        #expect(try JSONValue(parsing: raw) == value)
        #expect(try JSONValue(parsing: value.text) == value)
    }

    @Test("a bad document is refused", arguments: invalid)
    func bad(_ document: Document) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: document.bytes) }
    }

    @Test("a bad document is refused byte by byte too", arguments: invalid)
    func badInPieces(_ document: Document) throws {
        let whole = #expect(throws: JSONError.self) { try JSONValue(parsing: document.bytes) }
        let pieces = #expect(throws: JSONError.self) {
            var reader = readerInPieces(document.bytes, of: 1)
            _ = try reader.readValue()
            try reader.finish()
        }
        #expect(whole == pieces)
    }
}

@Suite("Damaged documents")
struct DamageTests {
    private static func read(_ bytes: [UInt8], pieces: Int) -> Result<String, JSONError> {
        do {
            var reader = readerInPieces(bytes, of: pieces)
            let raw = try reader.rawValue()
            try reader.finish()
            return .success(raw)
        } catch let error as JSONError {
            return .failure(error)
        } catch {
            Issue.record("\(error)")
            return .success("")
        }
    }

    @Test(
        "a damaged document gives the same result in all chunk sizes, and what passes reads back",
        arguments: 1...20 as ClosedRange<UInt64>)
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let spice = Array("{}[]\",:\\u0019-+.eEtfn \n\u{1}\u{1E}é🚗".utf8) + [0xFF, 0xED, 0xA0]
        for _ in 0..<400 {
            var bytes = Array(random.value(depth: 3).text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let byte = spice.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(byte, at: place)
                case 1: bytes.replaceSubrange(place..., with: [byte])
                default: if place < bytes.count { bytes[place] = byte }
                }
            }
            let whole = Self.read(bytes, pieces: 1 << 16)
            #expect(whole == Self.read(bytes, pieces: 1))
            #expect(whole == Self.read(bytes, pieces: 7))
            if case .success(let raw) = whole {
                #expect(Self.read(Array(raw.utf8), pieces: 3) == .success(raw))
            }
        }
    }
}

/// A reader that gets at most `size` bytes at a time.
func readerInPieces(_ bytes: [UInt8], of size: Int) -> JSONReader {
    var rest = bytes[...]
    return JSONReader(bufferSize: 16) { room in
        let count = min(size, rest.count, room.count)
        room.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
    }
}
