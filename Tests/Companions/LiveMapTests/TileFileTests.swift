import Foundation
import SystemTestKit
import Testing

@testable import LiveMap

/// MBTiles files as sqlite3(1) writes them.
@MainActor
@Suite struct TileFileTests {
    private let directory = TemporaryDirectory()

    private func file(_ name: String, _ statements: String) throws -> String {
        let path = directory.file(name)
        let made = Subprocess(["sqlite3", path], input: statements)
        try #require(made.wait()?.status == 0, "\(made.errorsSoFar)")
        return path
    }

    private static let tables = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
            tile_data BLOB);
        """

    @Test("a tile is found by the row that browsers count, from the north")
    func tile() throws {
        let path = try file(
            "a.mbtiles",
            Self.tables
                + """
                INSERT INTO metadata VALUES ('format', 'png'), ('attribution', '<b>Someone</b>'),
                    ('minzoom', '1'), ('maxzoom', '3');
                INSERT INTO tiles VALUES (2, 1, 3, X'89504E47'), (3, 0, 0, X'00FF');
                """)
        let tiles = try TileFile(path: path)
        #expect(tiles.mediaType == "image/png")
        #expect(tiles.attribution == "<b>Someone</b>")
        #expect(tiles.zooms == 1...3)
        #expect(tiles.tile(zoom: 2, column: 1, row: 0) == [0x89, 0x50, 0x4E, 0x47])
        #expect(tiles.tile(zoom: 3, column: 0, row: 7) == [0x00, 0xFF])
        #expect(tiles.tile(zoom: 2, column: 1, row: 3) == nil)
        for (zoom, column, row) in [
            (-1, 0, 0), (4, 0, 0), (25, 0, 0), (64, 0, 0), (2, -1, 0), (2, 4, 0), (2, 0, 4),
            (2, .max, 0), (.max, 0, 0), (.min, 0, 0),
        ] { #expect(tiles.tile(zoom: zoom, column: column, row: row) == nil) }
    }

    @Test("the example draws the roads of an extract, and names whose they are", .needs(.mapnik))
    func background() throws {
        let root = #filePath.components(separatedBy: "/Tests/Companions/")[0]
        let path = directory.file("background.mbtiles")
        let made = Subprocess([
            "\(root)/docs/examples/background/make-background",
            "\(root)/Tests/Companions/RoadGraphTests/Data/bus.osm.pbf", path,
        ])
        try #require(made.wait(seconds: 60)?.status == 0, "\(made.errorsSoFar)")
        let tiles = try TileFile(path: path)
        #expect(tiles.attribution.contains("OpenStreetMap") && tiles.attribution.contains("ODbL"))
        #expect(tiles.zooms == 8...15)
        // Of all zooms the place in the middle of the extract, with something drawn on it.
        for zoom in 8...15 {
            let (column, row) = Self.place(of: (longitude: 8.7047, latitude: 49.4098), zoom: zoom)
            let tile = try #require(tiles.tile(zoom: zoom, column: column, row: row), "\(zoom)")
            #expect(tile.starts(with: [0x89, 0x50, 0x4E, 0x47]) && tile.count > 100, "\(zoom)")
        }
        let again = Subprocess(["\(root)/docs/examples/background/make-background", "x", path])
        #expect(again.wait()?.status == 1 && again.errorsSoFar.contains("is there already"))
    }

    /// Column, and row from the north, of the web's Mercator.
    private static func place(
        of position: (longitude: Double, latitude: Double), zoom: Int
    ) -> (column: Int, row: Int) {
        let count = Double(1 << zoom)
        let x = (position.longitude + 180) / 360
        let y = (1 - asinh(tan(position.latitude * .pi / 180)) / .pi) / 2
        return (Int(x * count), Int(y * count))
    }

    @Test("a tile of more than a megabyte, and one that is no blob, are not shown")
    func odd() throws {
        let path = try file(
            "a.mbtiles",
            Self.tables
                + """
                INSERT INTO metadata VALUES ('format', 'jpg');
                INSERT INTO tiles VALUES (0, 0, 0, zeroblob(1048577)), (1, 0, 0, NULL),
                    (1, 1, 0, zeroblob(0));
                """)
        let tiles = try TileFile(path: path)
        #expect(tiles.mediaType == "image/jpeg")
        #expect(tiles.tile(zoom: 0, column: 0, row: 0) == nil)
        #expect(tiles.tile(zoom: 1, column: 0, row: 1) == nil)
        #expect(tiles.tile(zoom: 1, column: 1, row: 1) == nil)
    }

    /// Rows without an end.
    private static let endless = "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r)"

    @Test("tiles that are worked out without an end are not waited for, and that is said once")
    func endlessTiles() throws {
        let path = try file(
            "a.mbtiles",
            """
            CREATE TABLE metadata (name TEXT, value TEXT);
            INSERT INTO metadata VALUES ('format', 'png');
            CREATE TABLE drawn (z, x, y, data);
            INSERT INTO drawn VALUES (1, 0, 0, X'89504E47');
            CREATE VIEW tiles AS \(Self.endless)
                SELECT z AS zoom_level, x AS tile_column, y AS tile_row, data AS tile_data
                FROM r CROSS JOIN drawn;
            """)
        let tiles = try TileFile(path: path)
        var complaints = 0
        tiles.whenSlow = { complaints += 1 }
        #expect(tiles.tile(zoom: 1, column: 0, row: 1) == [0x89, 0x50, 0x4E, 0x47])
        let began = ContinuousClock.now
        #expect(tiles.tile(zoom: 0, column: 0, row: 0) == nil)
        #expect(tiles.tile(zoom: 0, column: 0, row: 0) == nil)
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(complaints == 1)
        #expect(tiles.tile(zoom: 1, column: 0, row: 1) == [0x89, 0x50, 0x4E, 0x47])
    }

    @Test("a file that does not say what its tiles are is refused, not waited for")
    func endlessMetadata() throws {
        let path = try file(
            "a.mbtiles",
            """
            CREATE VIEW metadata AS
                \(Self.endless) SELECT n AS name, n AS value FROM r;
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            """)
        #expect(
            throws: MapProblem("to find \"format\" in its table metadata takes too long", path)
        ) { try TileFile(path: path) }
    }

    @Test("what is no file of pictures is refused, and said so")
    func refused() throws {
        let vectors = try file(
            "vector.mbtiles", Self.tables + "INSERT INTO metadata VALUES ('format', 'pbf');")
        #expect(throws: MapProblem.self) { try TileFile(path: vectors) }
        let empty = try file("empty.mbtiles", "CREATE TABLE other (a);")
        #expect(
            throws: MapProblem("cannot be read as MBTiles", empty)
        ) { try TileFile(path: empty) }
        let text = directory.write("no database", to: "text.mbtiles")
        #expect(throws: MapProblem.self) { try TileFile(path: text) }
        #expect(throws: MapProblem.self) { try TileFile(path: directory.file("none")) }
    }
}
