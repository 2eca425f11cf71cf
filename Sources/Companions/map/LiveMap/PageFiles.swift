package import MapPage
package import WebServer

/// The files of the page: the same for everybody, with nothing of the vehicle in them.
package struct PageFiles {
    private var files: [String: WebResponse] = [:]

    /// - Parameters:
    ///   - tiles: what the page says of its pictures, and whom its browser may ask for them.
    ///   - reader: who looks at it.
    package init(_ tiles: LiveTiles, origin: String?, _ reader: PageReader = .english) {
        func add(_ path: String, _ type: String, _ body: [UInt8]) {
            files[path] = WebResponse(page: type, body, imagesFrom: origin)
        }
        add("/", "text/html", LivePage.file(tiles, reader))
        add("/app.js", "text/javascript", LivePage.script(reader))
        add("/app.css", "text/css", LivePage.style)
        add("/leaflet.js", "text/javascript", LivePage.leafletScript)
        add("/leaflet.css", "text/css", LivePage.leafletStyle)
    }

    /// The file at that path; nil if there is none.
    package func response(_ path: String) -> WebResponse? { files[path] }
}
