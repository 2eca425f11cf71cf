import Bytes
import Testing

@Suite("Texts for spreadsheets") struct SpreadsheetTextTests {
    @Test(
        "what a spreadsheet would take for a formula has an apostrophe before it, whatever hides it",
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u{FEFF}=1", "\u{200B}\u{200D}=1", "\u{A0}@x",
            "\u{3000}=1", "\u{2060}-1", "\u{202E}=1", "\u{AD}=1", "\u{FF1D}1", "\u{FF0B}1",
            "\u{FF0D}1", "\u{FF20}x", " \u{FEFF}\u{FF1D}1", "\t=1", "\r=1", "\n=1", "\r\n=1", "\tx",
            "\u{0B}=1", "\u{3164}=1", "'=1", "''=1", "=\u{301}1",
        ])
    func guarded(_ text: String) {
        let guarded = text.guardedForSpreadsheet
        #expect(guarded.unicodeScalars.first == "'")
        #expect(guarded.unicodeScalars.count > text.unicodeScalars.count)
        #expect(guarded.unguardedForSpreadsheet.isExactly(text))
    }

    @Test(
        "after what may end a cell, too",
        arguments: [
            ("a;=1", "a;'=1"), ("a; =1;b", "a;' =1;b"), ("a\n@x", "a\n'@x"), ("a\t-1", "a\t'-1"),
            ("a\r\n=1", "a\r\n'=1"), ("'=1;'=2", "''=1;''=2"),
        ])
    func inside(_ text: String, _ guarded: String) {
        #expect(text.guardedForSpreadsheet == guarded)
        #expect(guarded.unguardedForSpreadsheet == text)
    }

    @Test(
        "any other text is as it was",
        arguments: [
            "", "Warehouse 4-7", "a=b", "5", "'s-Hertogenbosch", "'", "Süd", "\u{301}=", " x",
            "a; b",
            "\"=1\"", "'a", ";", "x\ny",
        ])
    func others(_ text: String) {
        #expect(text.guardedForSpreadsheet.isExactly(text))
        #expect(text.unguardedForSpreadsheet.isExactly(text))
    }
}
