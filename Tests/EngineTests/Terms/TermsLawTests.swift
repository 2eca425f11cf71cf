import EngineTestKit
import Testing

/// The laws of sections 4 and 5 for fences with terms, on random drives.
@Suite struct TermsLawTests {
    @Test("a window says of fences with terms what a watch on every fence says")
    func windowed() {
        let flaw = OnTerms.windowed.firstFlaw(in: 300_000..<300_400)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test("stopped and restored after every input, nothing differs of fences with terms")
    func restored() {
        let flaw = OnTerms.restored.firstFlaw(in: 310_000..<310_100)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test("after a power cut the events of fences with terms still alternate")
    func powerCut() {
        let flaw = OnTerms.powerCut.firstFlaw(in: 320_000..<320_100)
        #expect(flaw == nil, "\(flaw ?? "")")
    }
}
