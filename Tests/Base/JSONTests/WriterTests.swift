import Testing

@testable import JSON

@Suite("The writer")
struct WriterTests {
    @Test("commas and colons are inserted automatically, keys stay in order")
    func layout() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("seq")
        writer.integer(UInt64.max)
        writer.key("fence")
        writer.null()
        writer.key("list")
        writer.beginArray()
        writer.bool(true)
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.number(-12.44, decimals: 1)
        writer.endArray()
        writer.key("metadata")
        writer.raw("{\"a\":1.50}")
        writer.key("last")
        writer.string("x")
        writer.endObject()
        writer.endLine()
        writer.integer(2)
        #expect(
            writer.text == """
                {"seq":18446744073709551615,"fence":null,"list":[true,{},[],-12.4],\
                "metadata":{"a":1.50},"last":"x"}
                2
                """)
        writer.removeAll()
        writer.recordSeparator()
        writer.bool(false)
        #expect(writer.bytes == [0x1E] + "false".utf8)
    }

    @Test("a string is escaped only where necessary")
    func escapes() {
        let text = JSONValue.string("\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F} é\u{2028}🚗<>").text
        #expect(
            text == #""\"\\/\u0008\u000c\n\r\t\u0000\u001f"# + "\u{7F} é\u{2028}🚗<>\"")
    }

    @Test("random values survive writing and reading", arguments: 1...200 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = random.value(depth: 5)
        #expect(try JSONValue(parsing: value.text) == value)
        var reader = readerInPieces(Array(value.text.utf8), of: Int(seed % 7) + 1)
        #expect(try reader.rawValue() == value.text)
    }

    @Test("a value gives its own type, and nil for every other")
    func accessors() throws {
        let value = try JSONValue(
            parsing: #"{"a":[1,2.5,"x",true,null],"b":{"c":-7.0},"a2":1,"a2":2}"#)
        #expect(value["a"]?[0]?.integer == 1)
        #expect(value["a"]?[1]?.double == 2.5)
        #expect(value["a"]?[1]?.integer == nil)
        #expect(value["a"]?[2]?.string == "x")
        #expect(value["a"]?[3]?.bool == true)
        #expect(value["a"]?[4] == .null)
        #expect(value["a"]?[5] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"]?["c"] == -7)
        #expect(value["a2"] == 2)
        #expect(value["zz"] == nil)
        #expect(value["a"]?["b"] == nil)
        #expect(value["b"]?.array == nil)
        #expect(value["b"]?.object == [JSONMember("c", -7)])
        let list: JSONValue = [1, JSONValue(2.5), "x", true, .null]
        #expect(value == ["a": list, "b": ["c": -7], "a2": 1, "a2": 2])
        #expect(JSONValue(.nan) == .null)
        #expect(JSONNumber(7.0)?.text == "7")
        #expect(JSONNumber(Int64.max).text == "9223372036854775807")
    }
}

extension SeededGenerator {
    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &self)))
        case 3: return JSONValue(Double(bitPattern: next()))
        case 4: return JSONValue(Double.random(in: -180...180, using: &self))
        case 5: return .string(text())
        case 6:
            let count = Int.random(in: 0...5, using: &self)
            return .array((0..<count).map { _ in value(depth: depth - 1) })
        default:
            let count = Int.random(in: 0...5, using: &self)
            return .object(
                (0..<count).map { _ in JSONMember(text(), value(depth: depth - 1)) })
        }
    }

    private mutating func text() -> String {
        let scalars = (0..<Int.random(in: 0...20, using: &self)).map { _ in
            let limit: UInt32 = [0x30, 0x80, 0x800, 0x110000].randomElement(using: &self) ?? 0x80
            return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &self)) ?? "\u{FFFD}"
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
