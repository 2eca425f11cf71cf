package import MapPage
package import WebServer

/// The files of the page: the same for everybody, with nothing of the vehicle in them.
package struct PageFiles {
    private var files: [String: WebResponse] = [:]

    /// - Parameters:
    ///   - tiles: what the page says of its pictures, and whom its browser may ask for them.
    ///   - reader: who looks at it.
    package init(_ tiles: LiveTiles, origin: String?, _ reader: PageReader = .english) {
        let sources = origin.map { " \($0)" } ?? ""
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:\(sources); frame-ancestors 'none'; base-uri 'none'; "
            + "form-action 'none'"
        func add(_ path: String, _ type: String, _ body: [UInt8]) {
            files[path] = WebResponse(
                headers: WebResponse.headers(type) + [("Content-Security-Policy", policy)],
                body: body)
        }
        add("/", "text/html; charset=utf-8", LivePage.file(tiles, reader))
        add("/app.js", "text/javascript; charset=utf-8", LivePage.script(reader))
        add("/app.css", "text/css; charset=utf-8", LivePage.style)
        add("/leaflet.js", "text/javascript; charset=utf-8", LivePage.leafletScript)
        add("/leaflet.css", "text/css; charset=utf-8", LivePage.leafletStyle)
    }

    /// The file at that path; nil if there is none.
    package func response(_ path: String) -> WebResponse? { files[path] }
}
