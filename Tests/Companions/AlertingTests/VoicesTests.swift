import Foundation
import Sentences
import SystemTestKit
import Systemd
import Testing

@testable import Alerting

/// The real espeak-ng, and a spd-say that lists what the real one does.
@MainActor
@Suite("Which programs speak the language", .serialized)
struct VoicesTests {
    let loop: EventLoop
    let children: Children
    let directory = TemporaryDirectory()

    init() throws {
        loop = try EventLoop()
        children = Children(loop)
    }

    /// From spd-say 0.11.4 with espeak-ng 1.51.
    static let list = """
                             NAME                 LANGUAGE                  VARIANT
                        Afrikaans                       af                     none
                           German                       de                     none
                      German+Adam                       de                     Adam
                  French (France)                    fr-FR                     none
                 French (Belgium)                    fr-BE                     none
            Portuguese (Portugal)                       pt                     none
              Portuguese (Brazil)                    pt-BR                     none

        """

    private func install(_ name: String, _ text: String) {
        chmod(directory.write("#!/bin/sh\n\(text)\n", to: name), 0o755)
    }

    private func linkEspeak() throws {
        let path = try #require(Programs(hasSession: false).find("espeak-ng"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("espeak-ng"), withDestinationPath: path)
    }

    private func find(_ name: String, hasSession: Bool = true) throws -> Voices {
        let language = try #require(DriverLanguage(name))
        var found: Voices?
        Voices.find(
            language, Programs(path: directory.path, hasSession: hasSession), children
        ) { found = $0 }
        #expect(try loop.run(until: { found != nil }))
        return try #require(found)
    }

    @Test("espeak-ng has a voice for every language that there are sentences in")
    func espeak() throws {
        try linkEspeak()
        for language in Language.allCases {
            let voices = try find(language.rawValue, hasSession: false)
            #expect(voices == Voices(tags: ["espeak-ng": language.rawValue]))
        }
        #expect(try find("de_AT.UTF-8", hasSession: false).tags == ["espeak-ng": "de-at"])
        #expect(try find("pt-BR", hasSession: false).tags == ["espeak-ng": "pt-br"])
    }

    @Test("spd-say is asked in a session, and where nothing else speaks the language")
    func session() throws {
        try linkEspeak()
        directory.write(Self.list, to: "list")
        install(
            "spd-say", "[ $1 = --list-synthesis-voices ] && exec /bin/cat \(directory.file("list"))"
        )
        #expect(try find("de").tags == ["espeak-ng": "de", "spd-say": "de"])
        #expect(try find("de", hasSession: false).tags == ["espeak-ng": "de"])
        unlink(directory.file("espeak-ng"))
        #expect(try find("de", hasSession: false).tags == ["spd-say": "de"])
    }

    @Test(
        "of the list the voice of the country, then of the language",
        arguments: [
            ("pt-BR", "pt-BR"), ("pt", "pt"), ("pt-AO", "pt"), ("fr-CA", "fr"), ("fr-BE", "fr-BE"),
            ("de-CH", "de"), ("uk", nil), ("cs", nil),
        ])
    func tags(name: String, tag: String?) throws {
        let language = try #require(DriverLanguage(name))
        #expect(Voices.tag(of: language, in: Array(Self.list.utf8)) == tag)
    }

    @Test("what is missing is named")
    func missing() throws {
        #expect(
            try find("de") == Voices(flaws: ["espeak-ng: not installed", "spd-say: not installed"]))
        install("espeak-ng", "exit 1")
        install("spd-say", "echo nothing")
        #expect(
            try find("de")
                == Voices(flaws: ["espeak-ng has no voice for it", "spd-say lists no voice for it"])
        )
        install("spd-say", "exit 1")
        #expect(try find("de").flaws.last == "spd-say does not list its voices")
    }
}
