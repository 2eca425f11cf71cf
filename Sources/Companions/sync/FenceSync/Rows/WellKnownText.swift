import GeoJSON
package import JSON

/// Geometries as SQL databases and OData write them: `POINT(8.64 49.29)`, `SRID=4326;POLYGON((…))`,
/// `geography'…'` around it (OGC 06-103r4, section 7; OData ABNF). Longitude comes first; heights
/// and measures are left out.
package enum WellKnownText {
    /// Positions of a geometry.
    private static let mostPositions = 100_000

    /// The same as GeoJSON.
    /// - Throws: ``FlawedValue`` for anything but points, lines and polygons in WGS 84.
    package static func geometry(_ text: String) throws(FlawedValue) -> JSONValue {
        var scanner = Scanner(text)
        return try scanner.geometry()
    }

    private struct Scanner {
        private var rest: Substring.UTF8View
        private var positions = 0

        init(_ text: String) { rest = text[...].utf8 }

        mutating func geometry() throws(FlawedValue) -> JSONValue {
            var word = self.word()
            let isQuoted = (word == "GEOGRAPHY" || word == "GEOMETRY") && skip("'")
            if isQuoted { word = self.word() }
            if word == "SRID" {
                guard skip("=") else { throw unknown() }
                let code = digits()
                guard ReferenceSystem.isWGS84(code), skip(";") else {
                    throw FlawedValue(reason: ReferenceSystem.flaw(of: "SRID \(code)"))
                }
                word = self.word()
            }
            // POINT Z, POINTZ, POINT ZM.
            let dimensions = self.word()
            guard ["", "Z", "M", "ZM"].contains(dimensions) else { throw unknown() }
            for suffix in ["ZM", "Z", "M"] where dimensions.isEmpty && word.hasSuffix(suffix) {
                word.removeLast(suffix.count)
                break
            }
            let shape: (name: String, depth: Int)
            switch word {
            case "POINT": shape = ("Point", 0)
            case "LINESTRING": shape = ("LineString", 1)
            case "POLYGON": shape = ("Polygon", 2)
            case "MULTILINESTRING": shape = ("MultiLineString", 2)
            case "MULTIPOLYGON": shape = ("MultiPolygon", 3)
            default: throw unknown()
            }
            let coordinates: JSONValue
            if shape.depth == 0 {
                guard skip("(") else { throw unknown() }
                coordinates = try position()
                guard skip(")") else { throw unknown() }
            } else {
                coordinates = try list(shape.depth)
            }
            if isQuoted, !skip("'") { throw unknown() }
            space()
            guard rest.isEmpty else { throw unknown() }
            return .object([
                JSONMember("type", .string(shape.name)), JSONMember("coordinates", coordinates),
            ])
        }

        private mutating func list(_ depth: Int) throws(FlawedValue) -> JSONValue {
            guard skip("(") else { throw unknown() }
            // A list costs as much as a position, which it may have a single one of.
            try count()
            var elements: [JSONValue] = []
            repeat {
                elements.append(try depth == 1 ? position() : list(depth - 1))
            } while skip(",")
            guard skip(")") else { throw unknown() }
            return .array(elements)
        }

        private mutating func count() throws(FlawedValue) {
            positions += 1
            guard positions <= mostPositions else {
                throw FlawedValue(reason: "a geometry of more than \(mostPositions) positions")
            }
        }

        private mutating func position() throws(FlawedValue) -> JSONValue {
            try count()
            guard let x = number(), let y = number() else { throw unknown() }
            _ = number()
            _ = number()
            return .array([JSONValue(x), JSONValue(y)])
        }

        private mutating func number() -> Double? {
            space()
            let digits = rest.prefix {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0)
            }
            guard !digits.isEmpty, digits.count < 64, let value = Double(String(Substring(digits))),
                value.isFinite
            else { return nil }
            rest = rest.dropFirst(digits.count)
            return value
        }

        private mutating func digits() -> String {
            space()
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return String(Substring(digits))
        }

        /// Letters, as capitals.
        private mutating func word() -> String {
            space()
            let letters = rest.prefix {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }.prefix(32)
            rest = rest.dropFirst(letters.count)
            return String(Substring(letters)).uppercased()
        }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            space()
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        private mutating func space() {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        }

        private func unknown() -> FlawedValue {
            FlawedValue(
                reason: "a geometry that is neither GeoJSON nor WKT of points, lines or polygons")
        }
    }
}

/// Why a value of an entry cannot be used.
package struct FlawedValue: Error, Hashable, Sendable {
    /// A phrase without a full stop.
    package var reason: String
}
