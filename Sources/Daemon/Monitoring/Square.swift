import Geodesy
import Glibc

/// A piece of the Earth of at most 5.6 km by 5.6 km, as wide as it is high or half of it; one at a pole
/// is narrower.
struct Square: Hashable {
    /// Southwards from the equator they are negative.
    private let row: Int
    /// Westwards from Greenwich they are negative. At the antimeridian one place has two.
    private let column: Int

    /// Degrees of latitude.
    private static let height = 0.05
    /// Degrees of latitude by which the box is wider: more than an edge is from its chord.
    private static let margin = 0.0006

    fileprivate init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }

    fileprivate static func row(_ latitude: Double) -> Int {
        Int((latitude / height).rounded(.down))
    }

    /// The cosine of the latitude of a row, or somewhat more.
    private static func cosine(_ row: Int) -> Double {
        max(cos((Double(row) + 0.5) * height * .pi / 180), 1.0 / 64)
    }

    /// Degrees of longitude.
    fileprivate static func width(_ row: Int) -> Double {
        height * exp2((-log2(cosine(row))).rounded(.down))
    }

    /// Holds everything near a line in it.
    var box: GeoBox {
        let width = Self.width(row)
        let margin = Self.margin / Self.cosine(row)
        return GeoBox(
            west: Double(column) * width - margin,
            south: max(Double(row) * Self.height - Self.margin, -90),
            east: Double(column + 1) * width + margin,
            north: min(Double(row + 1) * Self.height + Self.margin, 90))
    }
}

/// Squares, in the order in which they were added.
struct SquareSet {
    private(set) var all: [Square] = []
    private var known: Set<Square> = []

    /// Those that an edge of a line may touch.
    mutating func add(_ a: Coordinate, _ b: Coordinate) {
        let turn = ((a.longitude - b.longitude) / 360).rounded() * 360
        let (west, east) = (
            min(a.longitude, b.longitude + turn), max(a.longitude, b.longitude + turn)
        )
        let south = Square.row(min(a.latitude, b.latitude))
        for row in south...max(Square.row(max(a.latitude, b.latitude)), south) {
            let width = Square.width(row)
            let first = Int((west / width).rounded(.down))
            for column in first...max(Int((east / width).rounded(.down)), first) {
                let square = Square(row: row, column: column)
                if known.insert(square).inserted { all.append(square) }
            }
        }
    }
}
