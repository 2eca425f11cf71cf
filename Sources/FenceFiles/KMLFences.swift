import Bytes
import Formats
import Geodesy
import JSON
import Model
import XML

/// The placemarks of a KML file (OGC 12-007r2): `Polygon`, and several in a `MultiGeometry`, are
/// areas; a `Point` is a circle, with the radius from its `ExtendedData` or that of the whole file;
/// a `LineString` with a width in there is a corridor. `name` is the title, `description` the
/// description, the attribute `id` the id. The rest of `ExtendedData`, `Data`, `SimpleData` or elements
/// of its own, are properties, and unknown ones metadata, as strings.
final class KMLFences: FenceFormat {
    private let pieces: XMLPieces
    private let options: FenceFileReader.Options
    private var count = 0
    private var text = ByteBuffer()
    /// The keys of the last placemark that became metadata.
    private var others: [String] = []
    private var hasLink = false

    init(_ pieces: XMLPieces, _ options: FenceFileReader.Options) {
        self.pieces = pieces
        self.options = options
    }

    var line: Int { pieces.line }

    var emptiness: String {
        "no Placemark" + (hasLink ? ", but a NetworkLink, which is not followed" : "")
    }

    var doubts: [String] {
        hasLink && count > 0 ? ["a NetworkLink is not followed: what it leads to is missing"] : []
    }

    func next() throws -> RawEntry? {
        pieces.beginEntry()
        while let place = try pieces.next() {
            guard case .open(let name, let attributes) = place.piece else { continue }
            hasLink = hasLink || name == "NetworkLink"
            guard name == "Placemark" else { continue }
            let placemark = try placemark()
            count += 1
            let id: String?
            if let key = options.idProperty {
                id = placemark.text(key)
            } else {
                id = attributes["id"]
            }
            return RawEntry(
                line: place.line, index: count, hasID: id != nil, outcome: fence(id, placemark))
        }
        return nil
    }

    func forEachOther(_ body: (String) -> Void) { for key in others { body(key) } }

    func forEachStray(_ body: (String) -> Void) { strays.forEach(body) }

    /// Elements of the last placemark itself that are not read, the first few.
    private var strays: [String] = []

    /// The content of a placemark.
    private struct Placemark {
        var name: String?
        var description: String?
        var geometry = KMLGeometry()
        /// Of its `ExtendedData`, in order.
        var keys: [String] = []
        var data: [String: String] = [:]
        var flaw: String?

        /// The name, or the text of a member of `ExtendedData`.
        func text(_ key: String) -> String? { key == "name" ? name : data[key] }
    }

    /// Members of one `ExtendedData`.
    private static let mostData = 1_000

    /// Reads the rest of a placemark.
    private func placemark() throws -> Placemark {
        var placemark = Placemark()
        /// The open elements in it.
        var path: [String] = []
        var key: String?
        var text = ""
        strays.removeAll()
        while true {
            switch try pieces.inside().piece {
            case .open(let name, let attributes):
                let isKnown = ["name", "description", "ExtendedData"].contains(name)
                if path.isEmpty, !isKnown, strays.count < Self.mostData { strays.append(name) }
                path.append(name)
                text = ""
                placemark.geometry.open(name)
                if name == "Data" || name == "SimpleData" { key = attributes["name"] }
            case .text(let more): text += more
            case .close(let name):
                guard !path.isEmpty else { return placemark }
                if text.utf8.count >= XMLPieces.longestText {
                    placemark.flaw = "\(name) of more than \(XMLPieces.longestText >> 20) MiB"
                }
                switch (path.count, name) {
                case (1, "name"): placemark.name = text
                case (1, "description"): placemark.description = text
                case (_, "coordinates"): placemark.geometry.read(coordinates: text)
                // <Data name="k"><value>v</value></Data>, <SimpleData name="k">v</SimpleData>
                case (_, "value") where path.dropLast().last == "Data", (_, "SimpleData"):
                    if let key { add(key, text, &placemark) }
                // An element of another namespace (KML 2.2, section 9.2).
                case (2, _) where path[0] == "ExtendedData" && name != "SchemaData":
                    if name != "Data", !text.isEmpty { add(name, text, &placemark) }
                default: break
                }
                placemark.geometry.close(name)
                path.removeLast()
                text = ""
            }
        }
    }

    private func add(_ key: String, _ text: String, _ placemark: inout Placemark) {
        guard placemark.data[key] == nil else { return }
        guard placemark.keys.count < Self.mostData else {
            placemark.flaw = "more than \(Self.mostData) members of ExtendedData"
            return
        }
        placemark.keys.append(key)
        placemark.data[key] = text
    }

    private func fence(_ id: String?, _ placemark: Placemark) -> Result<Fence, EntryFlaw> {
        do throws(EntryFlaw) {
            if let flaw = placemark.flaw { throw EntryFlaw(reason: flaw) }
            if id == nil, !options.makesIDs {
                throw EntryFlaw(reason: "no \(excerpt(options.idProperty ?? "id"))")
            }
            var data = placemark.data
            let radius = try length(.radius, &data) ?? options.radius
            let width = try length(.width, &data) ?? options.width
            let geometry: Geometry
            do throws(EntryFlaw) {
                geometry = try placemark.geometry.geometry(radius: radius, width: width)
            } catch {
                let near = placemark.keys.first { key in
                    let property = FenceProperty.meant(by: key)
                    return property === FenceProperty.radius || property === FenceProperty.width
                }
                guard let near else { throw error }
                throw EntryFlaw(reason: "\(error.reason): is \(excerpt(near)) meant?")
            }
            var fence = Fence(id: id ?? "", area: try Area(entry: geometry))
            fence.title = placemark.name ?? ""
            fence.description = placemark.description ?? ""
            for property in FenceProperty.fields where property.places.contains(.feature) {
                guard let text = data.removeValue(forKey: property.name.description) else {
                    continue
                }
                let value = try text.read { bytes throws(EntryFlaw) in
                    try property.value(of: bytes)
                }
                if let value { property.assign(value, to: &fence) }
            }
            if let title = options.titleProperty.flatMap({ placemark.text($0) }), !title.isEmpty {
                fence.title = title
            }
            let others = placemark.keys.compactMap { key in
                data[key].map { JSONMember(key, .string($0)) }
            }
            if let flaw = FenceFeature.flaw(ofMetadata: others, in: fence) {
                throw EntryFlaw(reason: flaw)
            }
            self.others = others.map(\.key)
            fence.metadata = JSONValue.object(others).text
            return .success(fence)
        } catch {
            return .failure(error.of(id))
        }
    }

    private func length(
        _ property: FenceProperty, _ data: inout [String: String]
    ) throws(EntryFlaw) -> Double? {
        guard let text = data.removeValue(forKey: property.name.description) else { return nil }
        return try text.read { bytes throws(EntryFlaw) in
            try TextValue.number(property.name.description, bytes)
        }
    }
}
