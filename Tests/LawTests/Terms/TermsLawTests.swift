import EngineTestKit
import Testing

/// The laws of sections 4 and 5 for fences with terms, on random drives.
@Suite struct TermsLawTests {
    @Test("a window gives the same events as monitoring every fence")
    func windowed() {
        let flaw = OnTerms.windowed.firstFlaw(in: 300_000..<300_400)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test("an engine restored after every input gives the same events")
    func restored() {
        let flaw = OnTerms.restored.firstFlaw(in: 310_000..<310_100)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test("events still alternate after a power cut")
    func powerCut() {
        let flaw = OnTerms.powerCut.firstFlaw(in: 320_000..<320_100)
        #expect(flaw == nil, "\(flaw ?? "")")
    }
}
