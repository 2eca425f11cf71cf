import CTiles

// Unsafe: bytes and texts that SQLite lends until its next call are copied at once; the handle is
// closed once.

/// An MBTiles file: https://github.com/mapbox/mbtiles-spec, version 1.3. Raster tiles alone.
@MainActor
@safe package final class TileFile {
    private nonisolated(unsafe) let tiles: OpaquePointer
    /// The media type of its tiles.
    package let mediaType: String
    /// What its makers want to be said beside the map; may be empty, may be markup, is shown as
    /// text.
    package let attribution: String
    /// The smallest and the largest zoom it says that it has.
    package let zooms: ClosedRange<Int>

    private static let mediaTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    ]

    /// - Throws: ``MapProblem`` for a file that cannot be read, or has tiles that are no pictures.
    package init(path: String) throws(MapProblem) {
        guard let tiles = unsafe ctiles_open(path) else {
            throw MapProblem("cannot be read as MBTiles", path)
        }
        func metadata(_ name: String) -> String {
            unsafe ctiles_metadata(tiles, name).map { unsafe String(cString: $0) } ?? ""
        }
        guard let mediaType = Self.mediaTypes[metadata("format")] else {
            let format = metadata("format").prefix(20)
            unsafe ctiles_close(tiles)
            throw MapProblem("tiles in the format \"\(format)\", not png, jpg or webp", path)
        }
        self.mediaType = mediaType
        attribution = String(metadata("attribution").prefix(300))
        let least = min(max(Int(metadata("minzoom")) ?? 0, 0), 24)
        zooms = least...min(max(Int(metadata("maxzoom")) ?? 24, least), 24)
        unsafe self.tiles = unsafe tiles
    }

    deinit { unsafe ctiles_close(tiles) }

    /// The picture of a tile, its row counted from the north as in addresses of tiles; nil if the
    /// file does not have it.
    package func tile(zoom: Int, column: Int, row: Int) -> [UInt8]? {
        guard zooms.contains(zoom), case let edge = 1 << zoom, (0..<edge).contains(column),
            (0..<edge).contains(row)
        else { return nil }
        var count = 0
        guard
            let bytes = unsafe ctiles_read(
                tiles, Int32(zoom), Int32(column), Int32(edge - 1 - row), &count)
        else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
