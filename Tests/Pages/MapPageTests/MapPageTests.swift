import Bytes
import Testing

@testable import MapPage

/// The page as a file, without a browser; `make test-map` opens it in one.
@Suite struct MapPageTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// What stands between each pair of these tags.
    private func contents(_ page: String, _ open: String, _ close: String) -> [Substring] {
        page.split(separator: open, omittingEmptySubsequences: false).dropFirst()
            .compactMap { $0.split(separator: close, omittingEmptySubsequences: false).first }
    }

    @Test("the policy names exactly the scripts and styles that are in the page")
    func hashes() throws {
        let page = text(MapPage.file(title: "a drive", data: Array("{}".utf8)))
        let policy = try #require(
            contents(page, #"Content-Security-Policy" content=""#, "\">").first)
        let sources = policy.split(separator: "'sha256-", omittingEmptySubsequences: false)
            .dropFirst().compactMap { $0.split(separator: "'").first }
        let inline =
            contents(page, "<script>", "</script>") + contents(page, "<style>", "</style>")
        #expect(inline.count == 4)
        #expect(
            sources.map(String.init)
                == inline.map { Base64.text(SHA256.digest(Array($0.utf8))) })
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("http"))
    }

    @Test("markup in the title and in the data stays text")
    func hostile() {
        let attack = #"</script><script>alert(1)</script><!--<img src=x onerror="alert(2)">"#
        let data = Array("{\"title\":\"\(attack.replacing("\"", with: "\\\""))\"}".utf8)
        let page = text(MapPage.file(title: attack, data: data))
        #expect(!page.contains("alert(1)</script>"))
        #expect(!page.contains("<img src=x"))
        #expect(page.contains(#"\u003c/script>\u003cscript>alert(1)\u003c/script>"#))
        #expect(page.contains("<title>&lt;/script&gt;"))
        #expect(contents(page, "<script", "</script>").count == 3)
    }

    @Test("the page names no address that a browser would load")
    func addresses() {
        let page = text(MapPage.file(title: "", data: Array("{}".utf8)))
        for attribute in ["src=\"", "href=\"", "@import", "srcset", "<link", "<iframe", "<base"] {
            let body = page.split(separator: "<body>").last.map(String.init) ?? ""
            let markup = body.split(separator: "<script").first.map(String.init) ?? ""
            #expect(!markup.contains(attribute), "\(attribute)")
        }
        #expect(!page.contains("sourceMappingURL"))
    }

    @Test("no file of the page ends a script or has a style in its markup")
    func assets() {
        for script in [MapAsset.script, MapAsset.leafletScript] {
            #expect(!text(script).lowercased().contains("</script"))
            #expect(!text(script).contains("<!--"))
        }
        for style in [MapAsset.style, MapAsset.leafletStyle] {
            #expect(!text(style).lowercased().contains("</style"))
        }
        #expect(!text(MapAsset.body).contains(" style="))
        for handler in [" onclick=", " onload=", " onerror=", "javascript:"] {
            #expect(!text(MapAsset.body).contains(handler), "\(handler)")
        }
    }

    @Test("Leaflet keeps its licence")
    func licence() {
        let script = text(MapAsset.leafletScript)
        #expect(script.hasPrefix("/*! Leaflet"))
        #expect(script.contains("Redistributions in binary form must reproduce"))
        #expect(script.contains("Vladimir Agafonkin"))
    }

    @Test("compacting drops indentation, blank lines and comments of one line, and nothing else")
    func compacting() {
        let source =
            "// one\nlet a = 1; // kept\n\n    /** two */\n    b(\n        * 2);\n/* x */ c()\n"
        let expected = "let a = 1; // kept\nb(\n* 2);\n/* x */ c()\n"
        #expect(text(MapAsset.compacted(Array(source.utf8))) == expected)
    }

    @Test("without a drive it is smaller than 245 KB")
    func size() {
        let size = MapPage.file(title: "", data: Array("{}".utf8)).count
        #expect(size < 245_000, "\(size) bytes")
    }
}
