import PostgreSQL
import Testing

@testable import Ingesting

@Suite("Texts within texts for PostgreSQL") struct QuotingTests {
    @Test(
        "libpq reads back what a conninfo string is made of",
        arguments: ["it's", "'\u{301} host=elsewhere", "a\\\u{301}b", "\\", "two words"])
    func connection(_ text: String) throws {
        let options = [
            ConnectionText.Option(key: "host", value: "here"),
            ConnectionText.Option(key: "password", value: text, isSecret: true),
        ]
        let read = try ConnectionText.options(of: ConnectionText.text(options))
        #expect(Set(read) == Set(options))
        #expect(read.contains { Array($0.value.utf8) == Array(text.utf8) })
    }

    @Test("a quotation mark in a statement is doubled, whatever is on it")
    func statements() {
        #expect(Array(SQLText.literal("a'\u{301}b").utf8) == Array("'a''\u{301}b'".utf8))
        #expect(Array(SQLText.identifier("a\"\u{301}").utf8) == Array("\"a\"\"\u{301}\"".utf8))
    }
}
