import Bytes
import Sentences

/// What the live page shows below its fences.
package struct LiveTiles: Equatable, Sendable {
    /// With `{z}`, `{x}` and `{y}`; empty for none.
    package var address = ""
    /// The server of the page has them, and wants to know who asks.
    package var isOurs = false
    /// Shown as text beside the map.
    package var attribution = ""
    /// Of those that exist.
    package var zooms = 0...24

    package init() {}
}

/// The page of a drive that is under way, as files of a server: a browser runs nothing that is
/// not in one of them.
package enum LivePage {
    /// The markup. All texts in it are escaped.
    package static func file(_ tiles: LiveTiles, _ reader: PageReader = .english) -> [UInt8] {
        let wording = reader.wording
        var page = Array(
            """
            <!doctype html>
            <html lang="\(wording.language.tag)" dir="ltr">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>geofenced</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/leaflet.css">
            <link rel="stylesheet" href="/app.css">
            </head>
            <body class="live" data-tiles="\(tiles.address.escapedForMarkup)" \
            data-tiles-ours="\(tiles.isOurs)" data-tiles-least="\(tiles.zooms.lowerBound)" \
            data-tiles-most="\(tiles.zooms.upperBound)" \
            data-units="\(wording.units(isFeet: nil).rawValue)" \
            data-units-of-signs="\(wording.choice == .sign)" \
            data-zone="\(reader.timeZone.escapedForMarkup)" \
            data-attribution="\(tiles.attribution.escapedForMarkup)">

            """.utf8)
        page += MapAsset.body
        page += Array(
            """
            <script src="/leaflet.js"></script>
            <script src="/app.js"></script>
            </body>
            </html>

            """.utf8)
        return page
    }

    /// The page's scripts, as one.
    package static func script(_ reader: PageReader = .english) -> [UInt8] {
        PageWords.script(reader.wording.translation, isLive: true) + MapAsset.liveScript
    }
    /// The page's style.
    package static var style: [UInt8] { MapAsset.style }
    /// Leaflet, with its notice.
    package static var leafletScript: [UInt8] { MapAsset.leafletScript }
    /// Leaflet's style.
    package static var leafletStyle: [UInt8] { MapAsset.leafletStyle }
}
