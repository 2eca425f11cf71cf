import Fencing
import Geodesy

/// The waypoints of a GPX file as circles: `name` is id and title, `desc` (else `cmt`) the
/// description. The radius stands in a `radius` element, in `extensions` or not, in metres, or is
/// given for the whole file.
final class GPXFences: FenceFormat {
    private var tags: XMLTags
    private let radius: Double?
    private var count = 0

    init(_ input: FenceFileInput, radius: Double?) {
        tags = XMLTags(input)
        self.radius = radius
    }

    var line: Int { tags.line }

    func next() throws -> RawEntry? {
        while let tag = try tags.next() {
            guard case .open(let name, let attributes) = tag, name == "wpt" else { continue }
            let line = tags.line
            let texts = try children()
            count += 1
            return RawEntry(line: line, index: count, outcome: fence(attributes, texts))
        }
        guard tags.hasRoot else { throw FileFlaw(line: tags.line, reason: "no GPX") }
        return nil
    }

    /// The texts of the elements in a waypoint, by their names; of two the first.
    private func children() throws -> [String: String] {
        var texts: [String: String] = [:]
        var name = ""
        var text = ""
        while let tag = try tags.next() {
            switch tag {
            case .open(let inner, _):
                name = inner
                text = ""
            case .text(let more): text += more
            case .close("wpt"): return texts
            case .close(let inner):
                if inner == name, texts[name] == nil { texts[name] = text }
                name = ""
            }
        }
        throw FileFlaw(line: tags.line, reason: "the text ends too early")
    }

    private func fence(
        _ attributes: [String: String], _ texts: [String: String]
    ) -> Result<Fence, EntryFlaw> {
        let id = texts["name"]
        func number(_ text: String?, _ name: String) throws(EntryFlaw) -> Double {
            guard let text else { throw EntryFlaw(reason: "no \(name)") }
            let digits = text.filter { !$0.isWhitespace }
            guard let number = Double(digits), number.isFinite else {
                throw EntryFlaw(reason: "\(name) \"\(text)\" is no number")
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
