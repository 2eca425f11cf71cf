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

    /// Trusts the bytes as far as the area needs them sound; whether a ring crosses itself was
    /// looked at before it was stored.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(DamagedRecord) -> Area {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw DamagedRecord() }
        let kind = try reader.byte()
        let size = try reader.float()
        var inradii: [Double] = []
        let geometry: Geometry
        switch kind {
        case 0:
            let center = try reader.coordinate()
            geometry = .circle(center: center, radius: try reader.length())
        case 1:
            inradii = try reader.inradii()
            let parts = try reader.parts()
            let isWhole = parts.allSatisfy { rings in
                !rings.isEmpty && rings.allSatisfy { $0.count >= 4 && $0.first == $0.last }
            }
            guard !parts.isEmpty, isWhole else { throw DamagedRecord() }
            geometry = .polygons(parts)
        case 2:
            let width = try reader.length()
            let line = try reader.coordinates()
            guard line.count >= 2 else { throw DamagedRecord() }
            geometry = .corridor(line: line, width: width)
        default:
            throw DamagedRecord()
        }
        guard reader.isAtEnd else { throw DamagedRecord() }
        return Area(trusted: geometry, inradii: inradii, size: size)
    }
}

private struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ value: Double) { append(raw: value.bitPattern.littleEndian) }

    mutating func append(_ count: Int) { append(raw: UInt32(count).littleEndian) }

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
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}

private struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(DamagedRecord) -> UInt8 { try load(UInt8.self) }

    mutating func float() throws(DamagedRecord) -> Double {
        Double(bitPattern: UInt64(littleEndian: try load(UInt64.self)))
    }

    /// Metres, above 0 and finite.
    mutating func length() throws(DamagedRecord) -> Double {
        let length = try float()
        guard length > 0, length.isFinite else { throw DamagedRecord() }
        return length
    }

    mutating func coordinate() throws(DamagedRecord) -> Coordinate {
        let coordinate = Coordinate(latitude: try float(), longitude: try float())
        // Longitudes beyond 180 are a way to write the antimeridian.
        guard coordinate.latitude.magnitude <= 90, coordinate.longitude.magnitude <= 1e6 else {
            throw DamagedRecord()
        }
        return coordinate
    }

    mutating func inradii() throws(DamagedRecord) -> [Double] {
        try list { reader throws(DamagedRecord) in try reader.length() }
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
        let count = Int(UInt32(littleEndian: try load(UInt32.self)))
        // Every element has at least four bytes: a bogus count must not reserve memory.
        guard count <= (bytes.count - position) / 4 else { throw DamagedRecord() }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try element(&self)) }
        return list
    }

    private mutating func load<Value: FixedWidthInteger>(
        _ type: Value.Type
    ) throws(DamagedRecord) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - position >= size else { throw DamagedRecord() }
        defer { position += size }
        return bytes.loadUnaligned(fromByteOffset: position, as: type)
    }
}
