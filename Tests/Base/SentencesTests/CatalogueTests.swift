import Foundation
import Languages
import SystemTestKit
import Testing

@testable import Sentences

@Suite("The catalogue of sentences")
struct CatalogueTests {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func wording(_ language: Language, isSpoken: Bool = true) -> Wording {
        Wording(DriverLanguage(language: language), .sign, isSpoken: isSpoken)
    }

    /// What may be put in.
    private static let values: KeyValuePairs = [
        "n": "7", "cm": "05", "inches": "6", "limit": "L", "distance": "D", "hazard": "H",
        "within": "W", "way": "Y", "road": "R", "value": "V", "condition": "C", "name": "N",
        "speed": "Z", "total": "9", "id": "I", "size": "S", "span": "P", "version": "E",
        "list": "T", "heard": "8", "places": "3", "time": "07:41",
    ]

    @Test("there are twelve languages, of which none but English has been read by a native speaker")
    func languages() {
        #expect(
            Language.allCases.map(\.rawValue).sorted() == [
                "cs", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ro", "tr", "uk",
            ])
        #expect(Language.allCases.filter(\.isReviewed) == [.english])
    }

    @Test("every sentence renders, and no placeholder is left", arguments: Language.allCases)
    func rendered(language: Language) {
        let wording = wording(language)
        let english = Language.english.translation
        for sentence in Sentence.allCases {
            let text = wording.text(sentence, Self.values)
            #expect(!text.isEmpty && !text.contains { "{}|".contains($0) }, "\(sentence): \(text)")
            let isSentence = english[sentence].hasSuffix(".") && sentence != .decimalPoint
            #expect(!isSentence || text.hasSuffix("."), "\(sentence): \(text)")
        }
        for counted in Counted.allCases {
            for number in [0, 1, 2, 5, 11, 21, 22, 100, 101, 900] {
                let text = wording.text(counted, number, Self.values)
                #expect(!text.isEmpty && !text.contains { "{}|".contains($0) }, "\(text)")
                #expect(number == 1 || text.contains("\(number)"), "\(counted) \(number): \(text)")
            }
        }
    }

    /// What gettext makes of po/*.po, by the module of Python.
    private static let oracle = """
        import gettext, re, sys
        catalogue = gettext.GNUTranslations(open(sys.argv[1], "rb"))
        source = open(sys.argv[2], encoding="UTF-8").read()
        for key, one, other in re.findall(
                r'msgctxt "(.*)"\\nmsgid "(.*)"\\nmsgid_plural "(.*)"', source):
            for number in range(1100):
                print(key, number, catalogue.npgettext(key, one, other, number), sep="\\t")
        for key, text in re.findall(r'msgctxt "(.*)"\\nmsgid "(.*)"\\nmsgstr', source):
            print(key, "", catalogue.pgettext(key, text), sep="\\t")
        """

    @Test(
        "the tables say what gettext says, in every form of every number",
        arguments: Language.allCases.filter { $0 != .english })
    func gettext(language: Language) throws {
        let directory = TemporaryDirectory()
        let po = Self.repository.appending(path: "po")
        let compiled = Subprocess([
            "msgfmt", "-o", directory.file("mo"),
            po.appending(path: "\(language.rawValue).po").path,
        ])
        #expect(compiled.wait()?.status == 0, "\(compiled.errorsSoFar)")
        let oracle = Subprocess([
            "/usr/bin/python3", "-c", Self.oracle, directory.file("mo"),
            po.appending(path: "geofenced.pot").path,
        ])
        #expect(oracle.wait()?.status == 0, "\(oracle.errorsSoFar)")
        let counted = Dictionary(uniqueKeysWithValues: Counted.allCases.map { ("\($0)", $0) })
        let sentences = Dictionary(uniqueKeysWithValues: Sentence.allCases.map { ("\($0)", $0) })
        var count = 0
        for line in oracle.outputSoFar.split(separator: "\n") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            let words = cells[0].split(separator: "-").map(String.init)
            let name = words[0] + words.dropFirst().map(\.capitalized).joined()
            if let number = Int(cells[1]) {
                let key = try #require(counted[name])
                #expect(language.translation.text(key, number) == cells[2])
            } else {
                #expect(language.translation[try #require(sentences[name])] == cells[2])
            }
            count += 1
        }
        #expect(count == Counted.allCases.count * 1100 + Sentence.allCases.count)
    }

    @Test("a value is put in as it is, also one with braces")
    func braces() {
        let wording = wording(.english)
        #expect(
            wording.text(.wayOutRoad, ["way": "{road}", "road": "{way} {x"]) == "{road}, {way} {x")
        #expect(wording.text(.ahead, ["hazard": "H"]) == "H {within}.")
    }
}
