import Testing
import XML

@Suite("reading XML")
struct XMLReaderTests {
    @Test(
        "the result does not depend on the chunks",
        arguments: [1, 2, 3, 7, 64, 100_000])
    func pieces(size: Int) throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE a>
            <a:a xmlns:a="urn:x" k='1 &lt; 2'><!-- <b/> -->x&amp;<![CDATA[<ü>]]>&#xFC;
            <b/></a:a>
            """
        let places = try places(Array(document.utf8), size: size)
        #expect(
            places.map(\.piece) == [
                .open("a", attributes: ["a": "urn:x", "k": "1 < 2"]), .text("x&<ü>ü\n"),
                .open("b", attributes: [:]), .close("b"), .close("a"),
            ])
        #expect(places.map(\.line) == [3, 4, 4, 4, 4])
    }

    @Test("other encodings are read")
    func encodings() throws {
        let latin =
            Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xFC]
            + Array("</a>".utf8)
        #expect(try places(latin, size: 5)[1].piece == .text("ü"))
        let wide =
            [UInt8](arrayLiteral: 0xFE, 0xFF)
            + "<a>ü</a>".utf16.flatMap {
                [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] as [UInt8]
            }
        #expect(try places(wide, size: 3)[1].piece == .text("ü"))
    }

    @Test(
        "an error is reported with its line, after everything before it",
        arguments: [
            ("<a>\n<b></a>", 2, "mismatched tag"), ("<a>\n&bomb;</a>", 2, "undefined entity"),
            ("<a>\n<b x></b>", 2, "not well-formed"), ("<a>\n", 2, "no element found"),
            ("<a>\n</a>\n<b/>", 3, "junk"),
        ])
    func broken(_ text: String, line: Int, reason: String) throws {
        let reader = XMLReader()
        for bytes in [Array(text.utf8), []] { reader.feed(bytes.span) }
        #expect(try reader.next()?.piece == .open("a", attributes: [:]))
        let error = #expect(throws: XMLError.self) { while try reader.next() != nil {} }
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true)
    }

    @Test("no document grows in memory: entities of its own, depth, endless tags and texts")
    func bombs() throws {
        let entities = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>"
        expect("a document type of its own", of: Array(entities.utf8))
        let nested = String(repeating: "<a>", count: 65)
        expect("more than 64 elements inside one another", of: Array(nested.utf8))
        let endless = Array("<a b='".utf8) + [UInt8](repeating: 0x63, count: 2 << 20)
        expect("a tag or comment of more than 1048576 bytes", of: endless)
        let long =
            Array("<a>".utf8) + [UInt8](repeating: 0x63, count: 2 << 20)
            + Array("</a>".utf8)
        guard case .text(let text) = try places(long, size: 16_384)[1].piece else {
            Issue.record("no text")
            return
        }
        #expect(text.utf8.count == XMLReader.longestText)
    }

    private func expect(_ reason: String, of document: [UInt8]) {
        let error = #expect(throws: XMLError.self) { try places(document, size: 16_384) }
        #expect(error?.line == 1)
        #expect(error?.reason == reason)
    }

    private func places(_ document: [UInt8], size: Int) throws -> [XMLReader.Place] {
        let reader = XMLReader()
        var places: [XMLReader.Place] = []
        var rest = document[...]
        while true {
            let bytes = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            reader.feed(bytes.span)
            while let place = try reader.next() { places.append(place) }
            if bytes.isEmpty { return places }
        }
    }
}
