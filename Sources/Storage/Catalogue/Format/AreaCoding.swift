import Bytes
import Geodesy

/// The area of a fence as bytes. Version 1, everything little-endian:
///
///     UInt8 version, UInt8 kind, Float64 size in m², then
///     kind 0, circle:   Float64 latitude, longitude, radius
///     kind 1, polygons: UInt32 inradii; each: Float64 m;
///                       UInt32 parts; each: UInt32 rings; each: positions
///     kind 2, corridor: Float64 width; positions
///     kind 3, lines:    Float64 width; UInt32 lines; each: positions
///     positions: UInt32 count; each: Float64 latitude, longitude
///
/// Coordinates come back bit for bit. What is costly to measure is stored, so that a refill does
/// not measure the border of a country again.
enum AreaCoding {
    private static let version: UInt8 = 1

    static func encode(_ area: Area) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.write(version)
            switch area.geometry {
            case .circle(let center, let radius):
                writer.write(UInt8(0))
                writer.write(area.size)
                writer.write(center)
                writer.write(radius)
            case .polygons(let parts):
                writer.write(UInt8(1))
                writer.write(area.size)
                writer.write(area.inradii) { $0.write($1) }
                writer.write(parts) { writer, rings in
                    writer.write(rings) { $0.write($1) }
                }
            case .corridor(let line, let width):
                writer.write(UInt8(2))
                writer.write(area.size)
                writer.write(width)
                writer.write(line)
            case .lines(let lines, let width):
                writer.write(UInt8(3))
                writer.write(area.size)
                writer.write(width)
                writer.write(lines) { $0.write($1) }
            }
        }
    }

    /// What ``encode(_:)`` wrote. The area is validated by the same rules as on input
    /// (``Area/init(stored:inradii:size:)``), except that rings are not tested for crossings again.
    static func decode(_ bytes: ByteView) throws(DamagedRecord) -> Area {
        do {
            var reader = ByteReader(bytes)
            guard try reader.read(UInt8.self) == version else { throw DamagedRecord() }
            let kind = try reader.read(UInt8.self)
            let size = try reader.readDouble()
            var inradii: [Double] = []
            let geometry: Geometry
            switch kind {
            case 0:
                let center = try reader.readCoordinate()
                geometry = .circle(center: center, radius: try reader.readDouble())
            case 1:
                inradii = try reader.readList(ofAtLeast: 8) { try $0.readDouble() }
                geometry = .polygons(try reader.readParts())
            case 2:
                let width = try reader.readDouble()
                geometry = .corridor(line: try reader.readCoordinates(), width: width)
            case 3:
                let width = try reader.readDouble()
                let lines = try reader.readList(ofAtLeast: 4) { try $0.readCoordinates() }
                geometry = .lines(lines, width: width)
            default:
                throw DamagedRecord()
            }
            guard reader.isAtEnd else { throw DamagedRecord() }
            return try Area(stored: geometry, inradii: inradii, size: size)
        } catch { throw DamagedRecord() }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    fileprivate mutating func write(_ coordinates: [Coordinate]) {
        write(coordinates) { $0.write($1) }
    }
}

extension ByteReader {
    fileprivate mutating func readCoordinate() throws -> Coordinate {
        Coordinate(latitude: try readDouble(), longitude: try readDouble())
    }

    fileprivate mutating func readCoordinates() throws -> [Coordinate] {
        try readList(ofAtLeast: 16) { try $0.readCoordinate() }
    }

    /// The parts of a polygon, each of rings.
    fileprivate mutating func readParts() throws -> [[[Coordinate]]] {
        try readList(ofAtLeast: 4) { try $0.readList(ofAtLeast: 4) { try $0.readCoordinates() } }
    }
}
