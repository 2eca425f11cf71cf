import Bytes
import Formats
import Geodesy
import JSON
import Model
import XML

/// The waypoints of a GPX file as circles: `name` is id and title, `desc` (otherwise `cmt`) the
/// description. The radius is in a `radius` element, in `extensions` or not, in metres; or it is the
/// `Proximity` of Garmin's extensions, metres, at which a receiver rings; or given for the whole file.
/// Names may come again, as receivers write them: where ids are made, one is made for each but the
/// first.
final class GPXFences: FenceFormat {
    private let pieces: XMLPieces
    private let options: FenceFileReader.Options
    private var count = 0
    /// Hashes of the names so far, if ids may be made.
    private var names: Set<Int> = []
    /// There is a track or a route, of which no fences are made.
    private var hasTrack = false

    init(_ pieces: XMLPieces, _ options: FenceFileReader.Options) {
        self.pieces = pieces
        self.options = options
        wanted = ["name", "desc", "cmt", "radius", "proximity", "Proximity"]
        wanted.formUnion([options.idProperty, options.titleProperty].compactMap(\.self))
    }

    var line: Int { pieces.line }

    var emptiness: String { "no waypoint" + (hasTrack ? ", but a track or a route" : "") }

    func next() throws -> RawEntry? {
        pieces.beginEntry()
        while let place = try pieces.next() {
            guard case .open(let name, let attributes) = place.piece else { continue }
            hasTrack = hasTrack || name == "trk" || name == "rte"
            guard name == "wpt" else { continue }
            strays = attributes.keys.filter { $0 != "lat" && $0 != "lon" }.sorted()
            let texts = try children()
            count += 1
            // Receivers write an empty name where there is none.
            var id = texts[options.idProperty ?? "name"].flatMap { text in
                text.allSatisfy(\.isWhitespace) ? nil : text
            }
            var isTwin = false
            if options.makesIDs, options.idProperty == nil, let name = id {
                isTwin = !names.insert(ExactText(name).hashValue).inserted
                if isTwin { id = nil }
            }
            return RawEntry(
                line: place.line, index: count, hasID: id != nil, isTwin: isTwin,
                outcome: fence(id, attributes, texts))
        }
        return nil
    }

    /// Waypoints have no metadata.
    func forEachOther(_ body: (String) -> Void) {}

    func forEachStray(_ body: (String) -> Void) { strays.forEach(body) }

    /// Elements in the extensions of the last waypoint that are not read, and its attributes, the first
    /// few.
    private var strays: [String] = []
    private static let mostStrays = 100

    /// The elements needed from a waypoint.
    private var wanted: Set<String>

    /// The texts of the needed elements in a waypoint, by name; of duplicates the first.
    private func children() throws -> [String: String] {
        var texts: [String: String] = [:]
        var name = ""
        var text = ""
        var isInExtensions = false
        while true {
            switch try pieces.inside().piece {
            case .open(let inner, _):
                if isInExtensions, !wanted.contains(inner), strays.count < Self.mostStrays {
                    strays.append(inner)
                }
                isInExtensions = isInExtensions || inner == "extensions"
                name = inner
                text = ""
            case .text(let more): text += more
            case .close("wpt"): return texts
            case .close(let inner):
                if inner == name, wanted.contains(name), texts[name] == nil { texts[name] = text }
                if inner == "extensions" { isInExtensions = false }
                name = ""
            }
        }
    }

    private func fence(
        _ id: String?, _ attributes: [String: String], _ texts: [String: String]
    ) -> Result<Fence, EntryFlaw> {
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
            if id == nil, !options.makesIDs {
                throw EntryFlaw(reason: "no \(excerpt(options.idProperty ?? "name"))")
            }
            let own = texts["radius"] ?? texts["Proximity"] ?? texts["proximity"]
            guard let radius = own == nil ? options.radius : try number(own, "radius") else {
                let near = strays.first { FenceProperty.radius.isMeant(byStray: $0) }
                throw EntryFlaw(
                    reason: near.map { "no radius: is \(excerpt($0)) meant?" }
                        ?? "no radius, and none given for the whole file")
            }
            let title = options.titleProperty.flatMap { texts[$0] } ?? ""
            return .success(
                Fence(
                    id: id ?? "", area: try Area(entry: .circle(center: center, radius: radius)),
                    title: title.isEmpty ? texts["name"] ?? "" : title,
                    description: texts["desc"] ?? texts["cmt"] ?? ""))
        } catch {
            return .failure(error.of(id))
        }
    }
}
