import Bytes

/// How far the vehicle was driven inside, of an exit: section 13 of the law.
///
/// Rounded to the decimetre, so that every text form gives them back unchanged.
package struct WayDetails: Hashable, Sendable {
    /// Along paths with d ≤ 0, m.
    package var metres: Double
    /// Across gaps that began inside, where nobody saw the way, m.
    package var gap: Double
    /// New paths during the stay: there something is missing.
    package var newPaths: UInt32
    /// ``metres`` lie within this of what was driven there, m.
    package var bound: Double

    /// The least part of the way that its bound allows for curves between fixes, and for noise.
    private static let share = 0.01

    /// - Parameters:
    ///   - error: of the fixes at both ends together, m.
    ///   - disagreement: how far the way is from what it is by the reported speeds, m.
    package init(
        metres: Double, gap: Double, newPaths: UInt32, error: Double, disagreement: Double
    ) {
        self.metres = Self.rounded(metres)
        self.gap = Self.rounded(gap)
        self.newPaths = newPaths
        bound = Self.rounded(error + max(Self.share * metres, disagreement))
    }

    /// Nothing driven.
    package init() { self.init(metres: 0, gap: 0, newPaths: 0, error: 0, disagreement: 0) }

    /// Metres to the decimetre.
    package static func rounded(_ metres: Double) -> Double { (metres * 10).rounded() / 10 }
}

extension ByteWriter {
    /// Writes them as `readWayDetails()` reads them.
    package mutating func write(_ way: WayDetails) {
        write(way.metres)
        write(way.gap)
        write(way.newPaths)
        write(way.bound)
    }
}

extension ByteReader {
    /// Throws where the bytes are damaged.
    package mutating func readWayDetails() throws -> WayDetails {
        var way = WayDetails()
        way.metres = try readDouble()
        way.gap = try readDouble()
        way.newPaths = try read()
        way.bound = try readDouble()
        return way
    }
}

extension WayDetails {
    /// The numbers in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are damaged. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let way = ByteReader.value(of: bytes, { try $0.readWayDetails() }) else { return nil }
        self = way
    }
}
