import Foundation
import Languages
import Model
import Monitoring
import Sentences
import Testing

@testable import MapPage

/// The texts of the page, without a browser.
@Suite struct PageWordsTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// What names that are put together, or used otherwise, begin with.
    private let made = [
        "presence", "fit", "limit", "kind", "decimalPoint", "trouble", "reason",
    ]

    /// The names in `const WORDS={…};`.
    private func names(_ language: Language) -> Set<String> {
        let script = text(PageWords.script(language.translation, isLive: true))
        return Set(script.matches(of: #/[{,]([A-Za-z]+):"/#).map { String($0.output.1) })
    }

    /// As `capitalized` in words.js.
    private func capitalized(_ word: String) -> String {
        word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    @Test("every text that scripts and markup ask for is there, in every language")
    func complete() throws {
        let scripts = text(MapAsset.script + MapAsset.liveScript)
        let asked =
            scripts.matches(of: #/say\('([A-Za-z]+)'[,)]/#).map { String($0.output.1) }
            + text(MapAsset.body).matches(of: #/data-(?:say|title|label)="([A-Za-z]+)"/#)
            .map { String($0.output.1) }
        #expect(asked.count > 60)
        // Those that are put together: of a presence, a fit, a limit, a kind of event, a reason, a trouble.
        var made =
            ["Inside", "Outside", "Unknown"].map { "presence" + $0 }
            + ["Fits", "Breaks", "Unknown"].map { "fit" + $0 }
            + ["Height", "Width", "Length", "Weight", "AxleLoad"].map { "limit" + $0 }
            + ["kindEnter", "kindAdvisory", "kindFencesBack", "decimalPoint"]
        made += EventReason.allCases.map { "reason" + capitalized($0.name) }
        made += Trouble.allCases.map { "trouble" + capitalized($0.rawValue) }
        for language in Language.allCases {
            #expect(Set(asked + made).subtracting(names(language)).isEmpty, "\(language)")
        }
    }

    @Test("the page of a drive that is over has the texts that its scripts ask for, and no others")
    func ofADrive() {
        let scripts = text(MapAsset.script + MapAsset.body)
        let page = text(PageWords.script(.english, isLive: false))
        let own = Set(page.matches(of: #/[{,]([A-Za-z]+):"/#).map { String($0.output.1) })
        for name in names(.english) where !made.contains(where: name.hasPrefix) {
            let isAsked = scripts.contains("'\(name)'") || scripts.contains("\"\(name)\"")
            #expect(own.contains(name) == isAsked, "\(name)")
        }
    }

    @Test("what there is no text for is no name: a typing error would be shown")
    func unasked() {
        let scripts = text(MapAsset.script + MapAsset.liveScript + MapAsset.body)
        for name in names(.english) where !made.contains(where: name.hasPrefix) {
            #expect(scripts.contains("'\(name)'") || scripts.contains("\"\(name)\""), "\(name)")
        }
    }

    @Test("the live page is in the language of its reader, and its texts end no script")
    func live() {
        let reader = PageReader(
            wording: Wording(
                DriverLanguage(language: .german, region: "AT"), .sign, isSpoken: false),
            timeZone: "Europe/Vienna")
        let page = text(LivePage.file(LiveTiles(), reader))
        #expect(page.contains("<html lang=\"de-AT\" dir=\"ltr\">"))
        #expect(page.contains("data-units=\"metric\" data-units-of-signs=\"true\""))
        #expect(page.contains("data-zone=\"Europe/Vienna\""))
        #expect(text(LivePage.script(reader)).hasPrefix("'use strict';\nconst WORDS={"))
        #expect(text(LivePage.script(reader)).contains("follow:\"Folgen\""))
        #expect(text(LivePage.script()).contains("follow:\"Follow\""))
        for language in Language.allCases {
            #expect(!text(PageWords.script(language.translation, isLive: true)).contains("<"))
        }
    }
}
