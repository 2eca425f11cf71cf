import Bytes
package import Sentences

/// The page of a fleet's board, as files of a server: a browser runs nothing that is not in one of
/// them.
package enum BoardPage {
    /// The markup, with nothing of a fleet in it.
    package static func file(_ translation: Translation) -> [UInt8] {
        var page = Array(
            """
            <!doctype html>
            <html lang="\(translation.language.rawValue)" dir="ltr">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(translation[.boardTitle].escapedForMarkup)</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/leaflet.css">
            <link rel="stylesheet" href="/board.css">
            </head>
            <body data-zone="">

            """.utf8)
        page += MapAsset.boardBody
        page += Array(
            """
            <script src="/leaflet.js"></script>
            <script src="/board.js"></script>
            </body>
            </html>

            """.utf8)
        return page
    }

    /// The page's scripts, as one.
    package static func script(_ translation: Translation) -> [UInt8] {
        PageWords.boardScript(translation) + MapAsset.boardScript
    }

    /// The page's style.
    package static var style: [UInt8] { MapAsset.boardStyle }

    /// Leaflet, with its notice.
    package static var leafletScript: [UInt8] { MapAsset.leafletScript }

    /// Leaflet's style.
    package static var leafletStyle: [UInt8] { MapAsset.leafletStyle }
}
