import MapPage
import Testing
import WebServer

@testable import LiveMap

@Suite struct LivePageTests {
    private func text(_ response: WebResponse?) -> String {
        String(decoding: response?.body ?? [], as: UTF8.self)
    }

    private func policy(_ response: WebResponse?) -> String {
        response?.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    }

    @Test("every file of the page that it names is there, with a policy and without being kept")
    func files() {
        let files = PageFiles(LiveTiles(), origin: nil)
        for path in ["/", "/app.js", "/app.css", "/leaflet.js", "/leaflet.css"] {
            let response = files.response(path)
            #expect((response?.body.count ?? 0) > 500, "\(path)")
            #expect(policy(response).hasPrefix("default-src 'none'; script-src 'self'; "))
            #expect(!policy(response).contains("unsafe"))
            let names = response?.headers.map(\.name) ?? []
            #expect(names.contains("X-Content-Type-Options") && names.contains("Referrer-Policy"))
        }
        #expect(files.response("/nothing") == nil)
        #expect(files.response("//app.js") == nil)
    }

    @Test("the page has no script, style or handler of its own in its markup")
    func markup() {
        let page = text(PageFiles(LiveTiles(), origin: nil).response("/"))
        #expect(!page.contains("<script>"))
        #expect(!page.contains("<style"))
        #expect(!page.contains("style="))
        #expect(!page.contains(" onload") && !page.contains(" onclick"))
    }

    @Test("tiles of a server widen the policy by that server, and its texts stay texts")
    func tiles() {
        var tiles = LiveTiles()
        tiles.address = "https://tiles.example/{z}/{x}/{y}.png?\"><script>"
        tiles.attribution = "<b>\"Example\"</b>"
        let response = PageFiles(tiles, origin: "https://tiles.example").response("/")
        #expect(policy(response).contains("img-src 'self' data: https://tiles.example; "))
        #expect(!text(response).contains("<b>"))
        #expect(!text(response).contains("?\"><script>"))
        #expect(text(response).contains("data-attribution=\"&lt;b&gt;&quot;Example&quot;"))
    }

    @MainActor
    @Test("a message of the stream is one message, whatever its text has")
    func message() {
        let message = MapViewer.message("event", 7, Array("{\"a\":\n\"b\"}".utf8))
        #expect(
            String(decoding: message, as: UTF8.self)
                == "event: event\nid: 7\ndata: {\"a\": \"b\"}\n\n")
    }

    @Test("views of the world", arguments: ["-180,-90,180,90", "170,-10,-170,10", "1.5,2,3,4e0"])
    func views(_ text: String) { #expect(FenceView(text) != nil) }

    @Test(
        "what is no view is none",
        arguments: [
            "", "1,2,3", "1,2,3,4,5", "1,2,3,", "nan,2,3,4", "-181,0,0,0", "0,5,0,4", "a,b,c,d",
            "0,-91,0,0", "inf,0,0,0",
        ])
    func noViews(_ text: String) { #expect(FenceView(text) == nil) }
}
