import Bytes
import Sentences

/// The page as one file that asks nobody for anything: Leaflet, style, scripts and data inside.
///
/// Its content security policy allows these scripts and styles by their hashes and nothing else, so
/// that even markup that got into it could neither run nor send anything.
package enum MapPage {
    /// - Parameters:
    ///   - title: for the window of the browser, any text.
    ///   - data: JSON text, as `drive.js` reads it.
    /// - Returns: UTF-8.
    package static func file(title: String, data: [UInt8]) -> [UInt8] {
        let scripts = [
            MapAsset.leafletScript, PageWords.script(.english, isLive: false) + MapAsset.script,
        ]
        let styles = [MapAsset.leafletStyle, MapAsset.style]
        var page = Array(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy(scripts, styles))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title.escapedForMarkup)</title>

            """.utf8)
        for style in styles { page += Array("<style>".utf8) + style + Array("</style>\n".utf8) }
        page += "</head>\n<body>\n".utf8
        page += MapAsset.body
        page += #"<script type="application/json" id="drive">"#.utf8
        page += harmless(data)
        page += "</script>\n".utf8
        for script in scripts {
            page += Array("<script>".utf8) + script + Array("</script>\n".utf8)
        }
        page += "</body>\n</html>\n".utf8
        return page
    }

    /// The value of the page's content security policy. `frame-ancestors` has no effect there
    /// (CSP 3, section 3.3).
    static func policy(_ scripts: [[UInt8]], _ styles: [[UInt8]]) -> String {
        func sources(_ texts: [[UInt8]]) -> String {
            texts.map { "'sha256-\(Base64.text(SHA256.digest($0)))'" }.joined(separator: " ")
        }
        return "default-src 'none'; script-src \(sources(scripts)); style-src \(sources(styles)); "
            + "img-src data:; base-uri 'none'; form-action 'none'"
    }

    /// JSON in which no markup begins: `<` occurs only in its texts, where it may be escaped (HTML,
    /// section 4.12.1.3, "Restrictions for contents of script elements").
    static func harmless(_ json: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
        }
        return bytes
    }
}
