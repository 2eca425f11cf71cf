import Languages
import MapPage
import Sentences
package import WebServer

/// The files of the page in the language of who asks, with nothing of a fleet in them.
package struct BoardPages {
    private var pages: [Language: [String: WebResponse]] = [:]

    package init() {}

    /// The file at that path; nil if there is none.
    package mutating func response(_ request: WebRequest) -> WebResponse? {
        let language = Self.language(request.headers["Accept-Language"] ?? "")
        if let files = pages[language] { return files[request.path] }
        let translation = language.translation
        let files: [String: WebResponse] = [
            "/": WebResponse(page: "text/html", BoardPage.file(translation)),
            "/board.js": WebResponse(page: "text/javascript", BoardPage.script(translation)),
            "/board.css": WebResponse(page: "text/css", BoardPage.style),
            "/leaflet.js": WebResponse(page: "text/javascript", BoardPage.leafletScript),
            "/leaflet.css": WebResponse(page: "text/css", BoardPage.leafletStyle),
        ]
        pages[language] = files
        return files[request.path]
    }

    /// The first one that there are sentences in: browsers name the best one first (RFC 9110,
    /// section 12.5.4).
    static func language(_ accepted: String) -> Language {
        for range in accepted.split(separator: ",").prefix(20) {
            let tag = range.prefix { $0 != ";" }.filter { $0 != " " }
            let primary = tag.prefix { $0 != "-" }
            if let language = Language(rawValue: primary.lowercased()) { return language }
        }
        return .english
    }
}
