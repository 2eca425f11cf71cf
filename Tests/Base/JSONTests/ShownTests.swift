import Bytes
import JSON
import Testing

@Suite("JSON that a terminal shows") struct ShownTests {
    private func shown(_ text: String) -> String {
        String(decoding: Array(text.utf8).shownJSON, as: UTF8.self)
    }

    @Test("what a terminal would interpret is escaped, and nothing else")
    func escaped() {
        #expect(shown("\"a\u{7F}\u{80}\u{9B}\u{9F}b\"") == #""a\u007f\u0080\u009b\u009fb""#)
        #expect(
            shown("\"\u{2028}\u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\"")
                == #""\u2028\u2029\u202a\u202e\u2066\u2069""#)
        for text in ["", "{}\n", "ä é \u{A0}\u{2027}\u{202F}\u{2065}\u{206A}", "\u{20AC}\u{1F600}"]
        {
            #expect(shown(text) == text)
        }
    }

    @Test("every scalar reads back as it was, and every printable one stands there")
    func all() throws {
        for value in 0...0x2FFF {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let text = "x" + String(Character(scalar)) + "y"
            var json = JSONWriter()
            json.string(text)
            let shown = json.bytes.shownJSON
            let back = String(decoding: shown, as: UTF8.self)
            let isShown = back.unicodeScalars.allSatisfy(\.isPrintable)
            #expect(isShown, "\(value)")
            let read = try JSONValue(parsing: back)
            #expect(read.string == text)
            if scalar.isPrintable { #expect(shown == json.bytes) }
        }
    }
}
