import Foundation
import Settings
import SystemTestKit
import Testing

@testable import Sentences

@Suite("Which language, and which units")
struct LanguageTests {
    @Test(
        "names of languages and locales",
        arguments: [
            ("de", "de"), ("de_AT.UTF-8", "de-AT"), ("DE-at", "de-AT"), ("de_DE@euro", "de-DE"),
            ("es-419", "es-419"), ("pt_BR", "pt-BR"), ("sv_SE.UTF-8", nil), ("C.UTF-8", nil),
            ("", nil), ("german", nil), ("de_Austria", nil), ("de-", nil), ("de-AT-x", nil),
        ])
    func names(name: String, tag: String?) {
        #expect(DriverLanguage(name)?.tag == tag)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var environment: [String: String] = [:]
        var files: [String] = []
        var tag: String
        var unknown: String?
    }

    static let cases = [
        Case(testDescription: "nothing is set", tag: "en"),
        Case(
            testDescription: "LC_ALL is stronger than the others",
            environment: ["LANG": "fr_FR", "LC_MESSAGES": "es_ES", "LC_ALL": "de_DE.UTF-8"],
            tag: "de-DE"),
        Case(
            testDescription: "LC_MESSAGES is stronger than LANG",
            environment: ["LANG": "fr_FR", "LC_MESSAGES": "es_ES", "LC_ALL": ""], tag: "es-ES"),
        Case(
            testDescription: "the environment is stronger than the file",
            environment: ["LANG": "fr_FR"], files: ["LANG=de_DE"], tag: "fr-FR"),
        Case(
            testDescription: "what systemd sets where nothing is set says nothing",
            environment: ["LANG": "C.UTF-8"], files: ["# LANG=fr\nLANG=\"de_DE.UTF-8\"\n"],
            tag: "de-DE"),
        Case(
            testDescription: "LC_ALL=C is meant", environment: ["LC_ALL": "C"],
            files: ["LANG=de_DE"], tag: "en"),
        Case(
            testDescription: "the first file that sets one counts",
            files: ["", "LANG=pl", "LANG=cs"],
            tag: "pl"),
        Case(
            testDescription: "a language without sentences",
            environment: ["LANG": "sv_SE.UTF-8"], files: ["LANG=de"], tag: "en",
            unknown: "sv_SE.UTF-8"),
    ]

    @Test("the language of the system", arguments: cases)
    func system(_ one: Case) {
        let system = SystemLanguage(environment: { one.environment[$0] }, files: one.files)
        #expect(system.language.tag == one.tag && system.unknown == one.unknown)
    }

    @Test("units are those of the sign, where there is none those of the country")
    func units() {
        #expect(UnitChoice.sign.units(isFeet: nil, region: "DE") == .metric)
        #expect(UnitChoice.sign.units(isFeet: nil, region: "US") == .us)
        #expect(UnitChoice.sign.units(isFeet: false, region: "US") == .metric)
        #expect(UnitChoice.sign.units(isFeet: true, region: "US") == .us)
        #expect(UnitChoice.sign.units(isFeet: true, region: "") == .imperial)
        #expect(UnitChoice.metric.units(isFeet: true, region: "US") == .metric)
        #expect(UnitChoice.us.units(isFeet: false, region: "") == .us)
        #expect(UnitChoice.imperial.units(isFeet: nil, region: "") == .imperial)
    }

    @Test("[Driver] of geofenced.conf, whose other sections are for the daemon")
    func settings() {
        let directory = TemporaryDirectory()
        let path = directory.write(
            "[Fix]\nLostSec=9s\n[Driver]\nLanguage=pt-BR\nUnits=us\nTimeZone=UTC\n[Nonsense]\nA=b\n",
            to: "c")
        let loaded = DriverSettings.load(config: path)
        #expect(loaded.problems.isEmpty, "\(loaded.problems)")
        #expect(loaded.settings.language?.tag == "pt-BR" && loaded.settings.units == .us)
        #expect(loaded.settings.timeZone == "UTC")
        let none = DriverSettings.load(config: directory.write("", to: "d")).settings
        #expect(none == DriverSettings() && none.language == nil && none.units == .sign)
    }

    @Test("what is wrong there is named with its line, and the default stands")
    func problems() {
        let directory = TemporaryDirectory()
        let path = directory.write(
            "[Driver]\nLanguage=sv\nUnits=yards\nVoice=x\nTimeZone=Mars\n", to: "c")
        let loaded = DriverSettings.load(config: path)
        #expect(loaded.settings == DriverSettings())
        #expect(
            loaded.problems.map { $0.description.replacingOccurrences(of: path, with: "c") } == [
                "c:2: Language: sv: there are no sentences in it; there are some in "
                    + Language.allCases.map(\.rawValue).joined(separator: ", "),
                "c:3: Units: yards: not one of sign, metric, imperial, us",
                "c:4: Voice: unknown key in [Driver]",
                "c:5: TimeZone: Mars: \"Mars\" is no time zone of this system",
            ])
    }
}
