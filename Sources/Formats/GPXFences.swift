import Engine
import Geodesy
import JSON
import XML

// Unsafe: the reader fills an array of ours, whose room it is told.

/// The waypoints of a GPX file as circles: `name` is id and title, `desc` (else `cmt`) the
/// description. The radius stands in a `radius` element, in `extensions` or not, in metres, or is
/// given for the whole file.
final class GPXFences: FenceFormat {
    private let input: FenceFileInput
    private let radius: Double?
    private let reader = XMLReader()
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var isAtEnd = false
    private var isGPX = false
    /// The outermost element.
    private var root: String?
    private var count = 0

    init(_ input: FenceFileInput, radius: Double?) {
        self.input = input
        self.radius = radius
    }

    var line: Int { reader.line }

    func next() throws -> RawEntry? {
        input.beginEntry()
        while let place = try nextPlace() {
            guard case .open(let name, let attributes) = place.piece else { continue }
            root = root ?? name
            if name == "gpx" { isGPX = true }
            guard name == "wpt" else { continue }
            let texts = try children()
            count += 1
            return RawEntry(line: place.line, index: count, outcome: fence(attributes, texts))
        }
        guard isGPX else {
            throw FileFlaw(
                line: line,
                reason: root == "kml"
                    ? "KML is not read: fences are GeoJSON, CSV or GPX" : "no GPX: no element <gpx>"
            )
        }
        return nil
    }

    /// Nil at the end of the file.
    private func nextPlace() throws -> XMLReader.Place? {
        while true {
            do {
                if let place = try reader.next() { return place }
            } catch {
                throw FileFlaw(line: error.line, reason: error.reason)
            }
            guard !isAtEnd else { return nil }
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe input.read(into: $0) }
            isAtEnd = count == 0
            reader.take(buffer.span.extracting(first: count))
        }
    }

    /// What is asked of a waypoint.
    private static let wanted: Set<String> = ["name", "desc", "cmt", "radius"]

    /// The texts of the wanted elements in a waypoint, by their names; of two the first.
    private func children() throws -> [String: String] {
        var texts: [String: String] = [:]
        var name = ""
        var text = ""
        while let place = try nextPlace() {
            switch place.piece {
            case .open(let inner, _):
                name = inner
                text = ""
            case .text(let more): text += more
            case .close("wpt"): return texts
            case .close(let inner):
                if inner == name, Self.wanted.contains(name), texts[name] == nil {
                    texts[name] = text
                }
                name = ""
            }
        }
        throw FileFlaw(line: line, reason: "the text ends too early")
    }

    private func fence(
        _ attributes: [String: String], _ texts: [String: String]
    ) -> Result<Fence, EntryFlaw> {
        let id = texts["name"]
        func number(_ text: String?, _ name: String) throws(EntryFlaw) -> Double {
            guard let text else { throw EntryFlaw(reason: "no \(name)") }
            let digits = text.filter { !$0.isWhitespace }
            guard let number = Double(digits), number.isFinite else {
                throw EntryFlaw(reason: "\(name) \"\(excerpt(text))\" is no number")
            }
            return number
        }
        do throws(EntryFlaw) {
            let center = Coordinate(
                latitude: try number(attributes["lat"], "lat"),
                longitude: try number(attributes["lon"], "lon"))
            guard let id else { throw EntryFlaw(reason: "no name") }
            let own = texts["radius"]
            guard let radius = own == nil ? radius : try number(own, "radius") else {
                throw EntryFlaw(reason: "no radius, and none given for the whole file")
            }
            let area: Area
            do {
                area = try Area(.circle(center: center, radius: radius))
            } catch {
                throw EntryFlaw(reason: error.description)
            }
            return .success(
                Fence(
                    id: id, area: area, title: id,
                    description: texts["desc"] ?? texts["cmt"] ?? ""))
        } catch {
            return .failure(EntryFlaw(id: error.id ?? id, reason: error.reason))
        }
    }
}
