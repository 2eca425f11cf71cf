import Bytes
import Geodesy

/// The area of a fence as bytes. Version 1, everything little-endian:
///
///     UInt8 version, UInt8 kind, Float64 size in m², then
///     kind 0, circle:   Float64 latitude, longitude, radius
///     kind 1, polygons: UInt32 inradii; each: Float64 m;
///                       UInt32 parts; each: UInt32 rings; each: positions
///     kind 2, corridor: Float64 width; positions
///     positions: UInt32 count; each: Float64 latitude, longitude
///
/// Coordinates come back bit for bit. What is costly to measure is kept, so that a refill does not
/// measure the border of a country again.
enum AreaCoding {
    private static let version: UInt8 = 1

    static func encode(_ area: Area) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(version)
        switch area.geometry {
        case .circle(let center, let radius):
            writer.append(UInt8(0))
            writer.append(area.size)
            writer.append(center)
            writer.append(radius)
        case .polygons(let parts):
            writer.append(UInt8(1))
            writer.append(area.size)
            writer.append(area.inradii.count)
            for inradius in area.inradii { writer.append(inradius) }
            writer.append(parts.count)
            for rings in parts {
                writer.append(rings.count)
                for ring in rings { writer.append(ring) }
            }
        case .corridor(let line, let width):
            writer.append(UInt8(2))
            writer.append(area.size)
            writer.append(width)
            writer.append(line)
        }
        return writer.bytes
    }

    /// What ``encode(_:)`` wrote. Whether these are an area is judged by the same rules as at the
    /// door (``Area/init(stored:inradii:size:)``); only that rings do not cross is not asked again.
    static func decode(_ bytes: ByteView) throws(DamagedRecord) -> Area {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw DamagedRecord() }
        let kind = try reader.byte()
        let size = try reader.float()
        var inradii: [Double] = []
        let geometry: Geometry
        switch kind {
        case 0:
            let center = try reader.coordinate()
            geometry = .circle(center: center, radius: try reader.float())
        case 1:
            inradii = try reader.floats()
            geometry = .polygons(try reader.parts())
        case 2:
            let width = try reader.float()
            geometry = .corridor(line: try reader.coordinates(), width: width)
        default:
            throw DamagedRecord()
        }
        guard reader.isAtEnd else { throw DamagedRecord() }
        do throws(AreaError) {
            return try Area(stored: geometry, inradii: inradii, size: size)
        } catch { throw DamagedRecord() }
    }
}

private struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ value: Double) { append(raw: value.bitPattern) }

    mutating func append(_ count: Int) { append(raw: UInt32(count)) }

    mutating func append(_ coordinate: Coordinate) {
        append(coordinate.latitude)
        append(coordinate.longitude)
    }

    mutating func append(_ coordinates: [Coordinate]) {
        bytes.reserveCapacity(bytes.count + 4 + 16 * coordinates.count)
        append(coordinates.count)
        for coordinate in coordinates { append(coordinate) }
    }

    private mutating func append<Value: FixedWidthInteger>(raw value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}

private struct ByteReader {
    private let bytes: ByteView
    private var position = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(DamagedRecord) -> UInt8 { try load(UInt8.self) }

    mutating func float() throws(DamagedRecord) -> Double {
        Double(bitPattern: try load(UInt64.self))
    }

    mutating func coordinate() throws(DamagedRecord) -> Coordinate {
        Coordinate(latitude: try float(), longitude: try float())
    }

    mutating func floats() throws(DamagedRecord) -> [Double] {
        try list { reader throws(DamagedRecord) in try reader.float() }
    }

    mutating func coordinates() throws(DamagedRecord) -> [Coordinate] {
        try list { reader throws(DamagedRecord) in try reader.coordinate() }
    }

    mutating func rings() throws(DamagedRecord) -> [[Coordinate]] {
        try list { reader throws(DamagedRecord) in try reader.coordinates() }
    }

    mutating func parts() throws(DamagedRecord) -> [[[Coordinate]]] {
        try list { reader throws(DamagedRecord) in try reader.rings() }
    }

    private mutating func list<Element>(
        _ element: (inout ByteReader) throws(DamagedRecord) -> Element
    ) throws(DamagedRecord) -> [Element] {
        let count = Int(try load(UInt32.self))
        // Every element has at least four bytes: a bogus count must not reserve memory.
        guard count <= (bytes.count - position) / 4 else { throw DamagedRecord() }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try element(&self)) }
        return list
    }

    private mutating func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(DamagedRecord) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - position >= size else { throw DamagedRecord() }
        defer { position += size }
        return bytes.integer(at: position, as: type)
    }
}
