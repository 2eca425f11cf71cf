package import Geodesy

/// Which fences a question is about; what is nil lets every fence through.
package struct FenceFilter: Hashable, Sendable {
    /// Fences of this origin.
    package var origin: FenceOrigin?
    /// Fences whose bounding box meets this one.
    package var within: GeoBox?

    package init(origin: FenceOrigin? = nil, within: GeoBox? = nil) {
        self.origin = origin
        self.within = within
    }
}

/// A box in equal columns and rows, in which fences are counted.
package struct FenceGrid: Hashable, Sendable {
    /// What is divided.
    package let box: GeoBox
    /// From west to east.
    package let columns: Int
    /// From north to south.
    package let rows: Int

    /// Cells of one grid.
    package static let mostCells = 1 << 14

    /// Nil for less than one column or row, and for more than ``mostCells``.
    package init?(_ box: GeoBox, columns: Int, rows: Int) {
        guard columns > 0, rows > 0, columns <= Self.mostCells, rows <= Self.mostCells,
            columns * rows <= Self.mostCells
        else { return nil }
        self.box = box
        self.columns = columns
        self.rows = rows
    }

    /// Whether the point lies in the box, edges included.
    package func holds(_ point: Coordinate) -> Bool {
        east(of: point) <= box.east - box.west && point.latitude >= box.south
            && point.latitude <= box.north
    }

    /// The cell of a point, counted row by row from the north-west; of one outside of the box the
    /// cell next to it.
    package func cell(of point: Coordinate) -> Int {
        let width = box.east - box.west
        var east = east(of: point)
        if east > width { east = east - width < 360 - east ? width : 0 }
        return place(box.north - point.latitude, box.north - box.south, rows) * columns
            + place(east, width, columns)
    }

    /// Degrees from the west edge eastwards, 0..<360.
    private func east(of point: Coordinate) -> Double {
        let degrees = point.longitude - box.west
        return degrees - (degrees / 360).rounded(.down) * 360
    }

    private func place(_ distance: Double, _ length: Double, _ count: Int) -> Int {
        guard distance > 0, length > 0 else { return 0 }
        return min(Int(min(distance / length, 1) * Double(count)), count - 1)
    }
}
