import Geodesy
import Model
import Storage

/// A geometry made of the bytes. If it is accepted, it must be read back from the catalogue
/// unchanged, and be measurable; and no record, however changed, may crash its reader.
enum AreaFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        var source = GeometrySource(bytes)
        guard let area = try? Area(source.geometry()) else { return nil }
        let fence = Fence(id: "f", area: area)
        let record = StoredFenceBytes.encode(fence)
        guard let again = StoredFenceBytes.decode(record) else {
            return "accepted, and cannot be read again: \(area.geometry)"
        }
        guard again == fence, let stored = again.area, stored.size == area.size,
            stored.inradii == area.inradii, stored.boundingBox == area.boundingBox
        else { return "another after it was stored: \(area.geometry)" }
        if let flaw = measure(stored) { return "\(flaw): \(area.geometry)" }
        // The remaining bytes choose the changes to the record.
        var changed = record
        while let place = source.next16(), let value = source.next() {
            changed[Int(place) % changed.count] ^= value
        }
        if let other = StoredFenceBytes.decode(changed)?.area { _ = measure(other) }
        for count in [0, 1, 2, record.count / 2, record.count - 1] {
            _ = StoredFenceBytes.decode(Array(record.prefix(count)))
        }
        return nil
    }

    /// The queries of the engine.
    private static func measure(_ area: Area) -> String? {
        guard area.inradii.allSatisfy({ $0 > 0 }), area.size >= 0 else { return "no measure" }
        let box = area.boundingBox
        let middle = SurfacePoint(
            Coordinate(
                latitude: min(max((box.south + box.north) / 2, -90), 90),
                longitude: (box.west + box.east) / 2))
        let corner = SurfacePoint(
            Coordinate(latitude: min(max(box.north, -90), 90), longitude: box.east))
        for point in [middle, corner] {
            let clearance = area.clearance(at: point)
            guard clearance.signedDistance.isFinite, clearance.inradius > 0 else {
                return "no distance at \(point.coordinate)"
            }
            guard area.contains(point) == (clearance.signedDistance <= 0) else {
                return "inside or not at \(point.coordinate)"
            }
        }
        guard middle.distance(to: corner) < 50_000 else { return nil }
        let path = PathSegment(from: middle, to: corner)
        let crossings = area.crossings(of: path)
        guard crossings == crossings.sorted(), crossings.allSatisfy({ (0...1).contains($0) }),
            (crossings.count % 2 == 1) == (area.contains(middle) != area.contains(corner))
        else { return "crossings \(crossings)" }
        return nil
    }
}

/// Decodes geometries from bytes, so that every byte string is one: small and special numbers are
/// as likely as any others.
struct GeometrySource {
    private var rest: ArraySlice<UInt8>
    private var last = Coordinate(latitude: 0, longitude: 0)

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func next16() -> UInt16? {
        guard let high = next(), let low = next() else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    /// The first byte chooses the kind and the number of parts.
    mutating func geometry() -> Geometry {
        let kind = next() ?? 0
        switch kind % 4 {
        case 0: return .circle(center: position(), radius: length())
        case 1: return .corridor(line: positions(), width: length())
        case 2: return .polygons([[ring()]])
        default:
            return .polygons(
                (0..<Int(1 + kind / 4 % 4)).map { _ in
                    (0..<Int(1 + (next() ?? 0) % 3)).map { _ in ring() }
                })
        }
    }

    private mutating func length() -> Double {
        switch (next() ?? 0) % 3 {
        case 0: Double(next16() ?? 0)
        case 1: Double(next16() ?? 0) / 1_000
        default: double()
        }
    }

    private mutating func positions() -> [Coordinate] {
        (0..<Int((next() ?? 0) % 24)).map { _ in position() }
    }

    /// Closed, or not, or whole turns away.
    private mutating func ring() -> [Coordinate] {
        var ring = positions()
        guard let first = ring.first else { return ring }
        switch (next() ?? 0) % 8 {
        case 0: break
        case 1: ring.append(Coordinate(latitude: first.latitude, longitude: first.longitude + 360))
        case 2: ring.append(Coordinate(latitude: first.latitude, longitude: first.longitude - 360))
        default: ring.append(first)
        }
        return ring
    }

    private mutating func position() -> Coordinate {
        switch (next() ?? 0) % 4 {
        case 0: last = Coordinate(latitude: signed(next()) * 10, longitude: signed(next()) * 10)
        case 1: last = Coordinate(latitude: fine(0.01), longitude: fine(0.02))
        case 2:
            last = Coordinate(
                latitude: last.latitude + signed(next()) * 1e-7,
                longitude: last.longitude + signed(next()) * 1e-7)
        default: last = Coordinate(latitude: double(), longitude: double())
        }
        return last
    }

    private func signed(_ byte: UInt8?) -> Double { Double(Int8(bitPattern: byte ?? 0)) }

    private mutating func fine(_ unit: Double) -> Double {
        Double(Int16(bitPattern: next16() ?? 0)) * unit
    }

    private mutating func double() -> Double {
        var bits: UInt64 = 0
        for _ in 0..<8 { bits = bits << 8 | UInt64(next() ?? 0) }
        return Double(bitPattern: bits)
    }
}
