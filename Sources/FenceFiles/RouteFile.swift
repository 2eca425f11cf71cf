import GeoJSON
package import Geodesy
import JSON
import XML

/// Why a file has no route, with its line if that is known.
package struct RouteFileProblem: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package var line: Int?
    /// A phrase.
    package var reason: String

    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}

/// The one line of a file: the route of a GPX file or, without one, its track; or the one LineString or
/// MultiLineString of GeoJSON. Told apart by the content.
package enum RouteFile {
    /// Bytes of a file.
    package static let mostBytes = 64 << 20

    /// The positions in order, each valid; parts of a line follow each other.
    /// - Parameter most: of more positions nothing is read.
    /// - Throws: ``RouteFileProblem``
    package static func positions(
        of bytes: [UInt8], most: Int
    ) throws(RouteFileProblem) -> [Coordinate] {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        switch first {
        case UInt8(ascii: "<"): return try GPXRoute(most).read(bytes)
        case UInt8(ascii: "{"): return try GeoJSONRoute.read(bytes, most)
        case nil: throw RouteFileProblem(reason: "the file is empty")
        default: throw RouteFileProblem(reason: "neither GPX nor GeoJSON")
        }
    }

    fileprivate static func tooMany(_ most: Int, line: Int? = nil) -> RouteFileProblem {
        RouteFileProblem(line: line, reason: "more than \(most) positions")
    }
}

/// `rte` with its `rtept`, and the points between them that Garmin's extension has (`rpt`); or `trk`.
private struct GPXRoute {
    private let most: Int
    private var routes = 0
    private var route: [Coordinate] = []
    private var tracks = 0
    private var track: [Coordinate] = []
    private var isGPX = false

    init(_ most: Int) { self.most = most }

    func read(_ bytes: [UInt8]) throws(RouteFileProblem) -> [Coordinate] {
        var reading = self
        let reader = XMLReader()
        var fed = 0
        var isAtEnd = false
        while !isAtEnd {
            // Nothing is fed at the end.
            let end = min(fed + (1 << 16), bytes.count)
            reader.feed(bytes.span.extracting(fed..<end))
            isAtEnd = fed == end
            fed = end
            while let place = try Self.next(reader) {
                guard let flaw = reading.read(place) else { continue }
                throw RouteFileProblem(line: place.line, reason: flaw)
            }
        }
        guard reading.isGPX else { throw RouteFileProblem(reason: "XML that is no GPX") }
        let (count, what, positions) =
            reading.routes > 0
            ? (reading.routes, "routes", reading.route) : (reading.tracks, "tracks", reading.track)
        guard count > 0 else { throw RouteFileProblem(reason: "neither a route nor a track") }
        guard count == 1 else {
            throw RouteFileProblem(reason: "\(count) \(what), of which only one can be driven")
        }
        return positions
    }

    private static func next(_ reader: XMLReader) throws(RouteFileProblem) -> XMLReader.Place? {
        do throws(XMLError) { return try reader.next() } catch {
            throw RouteFileProblem(line: error.line, reason: error.reason)
        }
    }

    /// What is wrong with a piece, a phrase.
    private mutating func read(_ place: XMLReader.Place) -> String? {
        guard case .open(let name, let attributes) = place.piece else { return nil }
        switch name {
        case "gpx": isGPX = true
        case "rte": routes += 1
        case "trk": tracks += 1
        case "rtept", "rpt", "trkpt":
            func degrees(_ key: String) -> Double? {
                attributes[key].flatMap { Double($0.filter { !$0.isWhitespace }) }
            }
            guard let latitude = degrees("lat"), let longitude = degrees("lon"),
                Coordinate(latitude: latitude, longitude: longitude).isValid
            else { return "\(name) without a lat and lon on the Earth" }
            let position = Coordinate(latitude: latitude, longitude: longitude)
            if name == "trkpt" { track.append(position) } else { route.append(position) }
            if max(track.count, route.count) > most { return RouteFile.tooMany(most).reason }
        default: break
        }
        return nil
    }
}

private enum GeoJSONRoute {
    static func read(_ bytes: [UInt8], _ most: Int) throws(RouteFileProblem) -> [Coordinate] {
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch let error as JSONError {
            throw RouteFileProblem(line: error.position.line, reason: error.reason)
        } catch { throw RouteFileProblem(reason: "\(error)") }
        var lines: [JSONValue] = []
        if let flaw = collect(value, &lines, depth: 0) { throw RouteFileProblem(reason: flaw) }
        guard let line = lines.first else {
            throw RouteFileProblem(reason: "no LineString or MultiLineString")
        }
        guard lines.count == 1 else {
            throw RouteFileProblem(reason: "\(lines.count) lines, of which only one can be driven")
        }
        let parts =
            line["type"]?.string == "LineString"
            ? [line["coordinates"] ?? .null] : line["coordinates"]?.array ?? []
        var positions: [Coordinate] = []
        for part in parts {
            for place in part.array ?? [] {
                guard let pair = place.array, pair.count >= 2, let longitude = pair[0].double,
                    let latitude = pair[1].double,
                    Coordinate(latitude: latitude, longitude: longitude).isValid
                else {
                    throw RouteFileProblem(
                        reason: "position \(positions.count + 1) is not on the Earth")
                }
                positions.append(Coordinate(latitude: latitude, longitude: longitude))
                if positions.count > most { throw RouteFile.tooMany(most) }
            }
        }
        return positions
    }

    /// What is wrong with where they are, a phrase.
    private static func collect(
        _ value: JSONValue, _ lines: inout [JSONValue], depth: Int
    ) -> String? {
        if let flaw = ReferenceSystem.flaw(in: value) { return flaw }
        switch value["type"]?.string {
        case "LineString", "MultiLineString": lines.append(value)
        case "Feature" where depth < 2:
            guard let geometry = value["geometry"] else { break }
            return collect(geometry, &lines, depth: depth + 1)
        case "FeatureCollection" where depth == 0:
            for feature in value["features"]?.array ?? [] {
                if let flaw = collect(feature, &lines, depth: depth + 1) { return flaw }
            }
        default: break
        }
        return nil
    }
}
