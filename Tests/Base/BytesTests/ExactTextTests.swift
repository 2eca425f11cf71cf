import Bytes
import Testing

@Suite("Texts that others compare by their bytes") struct ExactTextTests {
    @Test("what Swift takes for equal is told apart, in a dictionary, a set, and in order")
    func equivalent() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed && !composed.isExactly(decomposed))
        #expect(composed.isExactly("caf\u{E9}") && "K" == "\u{212A}" && !"K".isExactly("\u{212A}"))
        var values: [ExactText: Int] = [:]
        values[composed] = 1
        values[decomposed, default: 1] += 1
        #expect(values[composed] == 1 && values[decomposed] == 2 && values["cafe"] == nil)
        values.removeValue(forKey: composed)
        #expect(values.count == 1)
        var texts = Set(exactly: [composed])
        #expect(texts.add(decomposed) && !texts.add(composed) && texts.count == 2)
        texts.remove(composed)
        #expect(texts.contains(decomposed) && !texts.contains(composed))
        #expect(ExactText(decomposed) < ExactText(composed))
    }
}
