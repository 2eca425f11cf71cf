import MapAssets

// Unsafe: memory of constants of the program, with its own length, is copied.

/// The files that the page is made of, as they were when the program was built.
package enum MapAsset {
    /// The markup of the page's body.
    package static var body: [UInt8] { unsafe bytes(map_asset_body()) }

    /// The page's own style.
    package static var style: [UInt8] { compacted(unsafe bytes(map_asset_style())) }

    /// The markup of the body of the board of a fleet.
    package static var boardBody: [UInt8] { unsafe bytes(map_asset_board_body()) }

    /// The style of the board.
    package static var boardStyle: [UInt8] { compacted(unsafe bytes(map_asset_board_style())) }

    /// The scripts of the board, as one.
    package static var boardScript: [UInt8] {
        (0..<map_asset_board_script_count()).flatMap { index in
            compacted(unsafe bytes(map_asset_board_script(index)))
        }
    }

    /// The scripts of the page of a drive, as one.
    package static var script: [UInt8] { shared + compacted(unsafe bytes(map_asset_boot())) }

    /// The scripts of the live page, as one.
    package static var liveScript: [UInt8] {
        shared
            + (0..<map_asset_live_script_count()).flatMap { index in
                compacted(unsafe bytes(map_asset_live_script(index)))
            }
    }

    private static var shared: [UInt8] {
        (0..<map_asset_script_count()).flatMap { index in
            compacted(unsafe bytes(map_asset_script(index)))
        }
    }

    /// Without indentation and without comments of one line: a fifth of what a page would carry.
    /// No text in these files goes over the end of a line.
    static func compacted(_ source: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        for line in source.split(separator: UInt8(ascii: "\n")) {
            let rest = line.drop { $0 == UInt8(ascii: " ") }
            let isComment =
                rest.starts(with: Array("//".utf8))
                || rest.starts(with: Array("/*".utf8))
                    && Array(rest.suffix(2)) == Array("*/".utf8)
            guard !rest.isEmpty, !isComment else { continue }
            bytes += rest
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Leaflet with the notice of its licence, as its licence wants it in every copy.
    package static var leafletScript: [UInt8] {
        let script = unsafe bytes(map_asset_leaflet_script())
        return unsafe bytes(map_asset_leaflet_notice()) + withoutSourceMap(script, "//")
    }

    /// Leaflet's style.
    package static var leafletStyle: [UInt8] {
        Array(withoutSourceMap(unsafe bytes(map_asset_leaflet_style()), "/*"))
    }

    /// In Debian the source map lies beside the file, and beside the page there is none.
    private static func withoutSourceMap(_ file: [UInt8], _ comment: String) -> ArraySlice<UInt8> {
        let mark = Array("\(comment)# sourceMappingURL=".utf8)
        return file[..<(file.lastRange(of: mark) ?? file.count)]
    }

    private static func bytes(_ asset: map_asset) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: asset.bytes, count: asset.length))
    }
}

extension [UInt8] {
    /// Where these bytes begin for the last time; nil if they do not occur.
    fileprivate func lastRange(of bytes: [UInt8]) -> Int? {
        guard count >= bytes.count else { return nil }
        return (0...(count - bytes.count)).reversed().first {
            self[$0] == bytes[0] && self[$0..<($0 + bytes.count)].elementsEqual(bytes)
        }
    }
}
