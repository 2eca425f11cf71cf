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

    /// Called at the first tile that is not shown since to find it takes too long, 200 ms.
    package var whenSlow: (() -> Void)?

    /// - Throws: ``MapProblem`` for a file that cannot be read, has tiles that are no pictures, or
    ///   does not say within a second what they are.
    package init(path: String) throws(MapProblem) {
        guard let tiles = unsafe ctiles_open(path) else {
            throw MapProblem("cannot be read as MBTiles", path)
        }
        func metadata(_ name: String) throws(MapProblem) -> String {
            let value = unsafe ctiles_metadata(tiles, name).map { unsafe String(cString: $0) }
            guard unsafe !ctiles_is_slow(tiles) else {
                throw MapProblem("to find \"\(name)\" in its table metadata takes too long", path)
            }
            return value ?? ""
        }
        do throws(MapProblem) {
            let format = try metadata("format")
            guard let mediaType = Self.mediaTypes[format] else {
                throw MapProblem(
                    "tiles in the format \"\(format.prefix(20))\", not png, jpg or webp", path)
            }
            self.mediaType = mediaType
            attribution = try String(metadata("attribution").prefix(300))
            let least = try min(max(Int(metadata("minzoom")) ?? 0, 0), 24)
            zooms = try least...min(max(Int(metadata("maxzoom")) ?? 24, least), 24)
        } catch {
            unsafe ctiles_close(tiles)
            throw error
        }
        unsafe self.tiles = unsafe tiles
    }

    deinit { unsafe ctiles_close(tiles) }

    /// The picture of a tile, its row counted from the north as in addresses of tiles; nil if the
    /// file does not have it, or takes too long to find it.
    package func tile(zoom: Int, column: Int, row: Int) -> [UInt8]? {
        guard zooms.contains(zoom), case let edge = 1 << zoom, (0..<edge).contains(column),
            (0..<edge).contains(row)
        else { return nil }
        var count = 0
        guard
            let bytes = unsafe ctiles_read(
                tiles, Int32(zoom), Int32(column), Int32(edge - 1 - row), &count)
        else {
            if unsafe ctiles_is_slow(tiles) {
                whenSlow?()
                whenSlow = nil
            }
            return nil
        }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
