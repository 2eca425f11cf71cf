import Settings
import Testing

@testable import LiveMap

@Suite struct MapSettingsTests {
    private func parse(_ text: String) -> (settings: MapSettings, problems: [SettingsProblem]) {
        MapSettings.parse(Array(text.utf8), file: "map.conf")
    }

    @Test("without a file there are no tiles")
    func absent() throws {
        let (settings, problems) = try MapSettings.load("/nonexistent/map.conf")
        #expect(settings == MapSettings())
        #expect(problems.isEmpty)
    }

    @Test("a file and a server of tiles")
    func tiles() {
        #expect(
            parse("[Map]\nTiles=mbtiles:/srv/a b.mbtiles\n").settings.tiles
                == .file("/srv/a b.mbtiles")
        )
        let server = parse(
            "[Map]\nTiles=https://tiles.example:8443/a/{z}/{x}/{y}.png\nAttribution=© Example\n")
        #expect(server.problems.isEmpty)
        #expect(server.settings.tiles.origin == "https://tiles.example:8443")
        #expect(server.settings.attribution == "© Example")
    }

    @Test(
        "what is no source of tiles is named, and there are none",
        arguments: [
            "mbtiles:relative", "https://tiles.example/", "ftp://a/{z}/{x}/{y}",
            "https://a b/{z}/{x}/{y}", "https://a;script-src */{z}/{x}/{y}",
            "https:///{z}/{x}/{y}", "https://{z}/{x}/{y}",
        ])
    func wrong(_ value: String) {
        let (settings, problems) = parse("[Map]\nTiles=\(value)\nAttribution=a\n")
        #expect(settings.tiles == .none)
        #expect(problems.map(\.line) == [2])
    }

    @Test("the tiles of a server need to say whose they are")
    func attribution() {
        let (settings, problems) = parse("[Map]\nTiles=https://a.example/{z}/{x}/{y}\n")
        #expect(settings.tiles == .none)
        #expect(problems.map(\.key) == ["Attribution"])
    }

    @Test("unknown keys and sections are named, those of others are not")
    func unknown() {
        let (_, problems) = parse("[Map]\nTile=none\nX-Mine=1\n[Other]\nA=b\n[X-Mine]\nA=b\n")
        #expect(problems.map(\.line) == [2, 4])
    }
}
