import Bytes
import Geodesy
import Model

/// The number of fences in each cell of a grid, counted in portions. Every fence whose bounding box
/// meets that of the grid counts once, in the cell that holds or is next to the centre of its box.
/// A fence that changes meanwhile may be counted or not.
package final class FenceCounting {
    private let catalogue: Catalogue
    private let grid: FenceGrid
    /// Nil before the first step.
    private var walk: CellWalk?
    private var counts: [UInt32]

    init(_ catalogue: Catalogue, _ grid: FenceGrid) {
        self.catalogue = catalogue
        self.grid = grid
        counts = [UInt32](repeating: 0, count: grid.columns * grid.rows)
    }

    /// Continues until `isTimeUp` returns true; at the end the counts, row by row from the
    /// north-west.
    /// - Throws: ``StoreError``; then it is over.
    package func step(until isTimeUp: () -> Bool) throws -> [UInt32]? {
        while true {
            let wantsMore = try catalogue.use { database in
                var walk = try self.walk ?? CellWalk(meeting: grid.box, of: catalogue, database)
                defer { self.walk = walk }
                return try walk.advance(database, count)
            }
            if !wantsMore { return counts }
            if isTimeUp() { return nil }
        }
    }

    private func count(_ cell: Int64, _ bytes: ByteView) throws {
        try FenceCell.forEach(bytes, of: cell, damaged: { catalogue.note($0, of: cell) }) {
            record, _ in
            let circle = try record.plainCircle()
            if let circle, grid.holds(circle.center) {
                counts[grid.cell(of: circle.center)] &+= 1
                return
            }
            guard let box = try record.box(), grid.box.intersects(box) else { return }
            let center = Coordinate(
                latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
            counts[grid.cell(of: circle?.center ?? center)] &+= 1
        }
    }
}
