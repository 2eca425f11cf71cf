import BusClient
import FenceFiles
import Files
import Formats
import JSON
import Model
import Program
import Storage

extension Verb {
    static let add = Verb(
        "add", "ID", 1...1, summary: "adds a fence, or replaces the one with that id",
        details: """
            The area is a circle, or a GeoJSON geometry or Feature from a file (- is standard
            input): Point with --radius, LineString with --width, Polygon, MultiPolygon. Instead
            of an area there may be beacons. Options take precedence over the properties of the
            Feature.
            """,
        options: [
            OptionRule("circle", value: "LAT,LON,RADIUS", "a circle, degrees and metres"),
            OptionRule("geojson", value: "FILE", "any area"),
            OptionRule("beacon", value: "BEACON", "UUID[/MAJOR[/MINOR]], NAMESPACE[/INSTANCE]"),
            OptionRule("radius", value: "M", "radius of a Point, metres"),
            OptionRule("width", value: "M", "full width of a LineString, metres"),
            OptionRule("sightings", value: "COUNT", "for beacons: how many open a stay, 1 to 10"),
            OptionRule("min-rssi", value: "DBM", "for beacons: how strong one must be"),
            OptionRule("companion", "for beacons: they travel with the vehicle, as a trailer does"),
            OptionRule("group", value: "NAME", "for companions: only one of a group is inside"),
            OptionRule("title", value: "TEXT", "its name for people"),
            OptionRule("description", value: "TEXT", "what it is"),
            OptionRule("dwell", value: "SEC", "tell a stay that has lasted this long"),
            OptionRule("no-entry", "do not announce enter and initial"),
            OptionRule("no-exit", "do not announce exit"),
            OptionRule("initial-enter", "found inside: say enter instead of initial"),
            OptionRule(
                "meta", value: "KEY=VALUE", repeats: true,
                "comes back on every event; JSON, or else text"),
        ],
        run: runAdd)
}

@MainActor
private func runAdd(_ invocation: Invocation) throws {
    let feature = try NewFeature(invocation).json
    let reader = FenceFileReader(Array(feature.utf8), name: "the new fence")
    let fence: Fence?
    do throws(FenceFileProblem) {
        fence = try reader.next()
    } catch {
        throw Failure(error.reason, "fence \"\(invocation.operands[0])\"")
    }
    guard let fence else { throw Failure("no fence", feature) }
    // Otherwise they would become metadata.
    let (misplaced, reason) =
        fence.beacons == nil
        ? (["sightings", "min-rssi", "companion", "group"], "only beacons have it")
        : (["radius", "width"], "beacons have none")
    for option in misplaced where invocation.has(option) {
        throw Failure.usage(reason, "--\(option)")
    }
    try DaemonClient(invocation).apply(upserts: [fence]).say(invocation)
}

/// The fence of the command line as a GeoJSON Feature, so that it is read and checked like any
/// other.
@MainActor
private struct NewFeature {
    private var properties: [JSONMember] = []
    private var geometry: JSONValue = .null
    /// What the file says besides, such as where that is.
    private var others: [JSONMember] = []

    init(_ invocation: Invocation) throws {
        let (circle, file) = (invocation.value("circle"), invocation.value("geojson"))
        switch (circle, file, invocation.value("beacon")) {
        case (let circle?, nil, nil): try read(circle: circle)
        case (nil, let file?, nil): try read(file: file)
        case (nil, nil, let beacon?): try read(beacon: beacon)
        default: throw Failure.usage("needs one of the three", "--circle, --geojson or --beacon")
        }
        for (option, range) in [("radius", 1e-3...1e8), ("width", 1e-3...1e8), ("dwell", 0...1e9)] {
            if let value = try invocation.number(option, in: range) {
                set(option, JSONValue(value))
            }
        }
        if let count = try invocation.number("sightings", in: 1...10) {
            set("sightings", JSONValue(count))
        }
        if let level = try invocation.number("min-rssi", in: -127...20) {
            set("min_rssi", JSONValue(level))
        }
        if invocation.has("companion") { set("companion", true) }
        for option in ["title", "description", "group"] {
            if let text = invocation.value(option) { set(option, .string(text)) }
        }
        if invocation.has("no-entry") { set("notify_on_entry", false) }
        if invocation.has("no-exit") { set("notify_on_exit", false) }
        if invocation.has("initial-enter") { set("initial_enter", true) }
        for pair in invocation.values("meta") {
            let scalars = pair.unicodeScalars
            guard let equals = scalars.firstIndex(of: "="), equals > scalars.startIndex else {
                throw Failure.usage("not KEY=VALUE", "--meta \(pair)")
            }
            let value = String(scalars[equals...].dropFirst())
            set(String(scalars[..<equals]), (try? JSONValue(parsing: value)) ?? .string(value))
        }
        set("id", .string(invocation.operands[0]))
    }

    var json: String {
        let feature: JSONValue = .object(
            [
                JSONMember("type", "Feature"), JSONMember("properties", .object(properties)),
                JSONMember("geometry", geometry),
            ] + others)
        return feature.text
    }

    private mutating func set(_ key: String, _ value: JSONValue) {
        properties.removeAll { $0.key == key }
        properties.append(JSONMember(key, value))
    }

    private mutating func read(circle: String) throws {
        let numbers = circle.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
            let radius = numbers[2]
        else { throw Failure.usage("not LAT,LON,RADIUS", "--circle \(circle)") }
        let ranges = [("latitude", latitude, 90.0), ("longitude", longitude, 180.0)]
        for (name, degrees, most) in ranges where !(degrees.magnitude <= most) {
            throw Failure.usage(
                "\(name) \(degrees) is outside -\(Int(most))…\(Int(most))", "--circle \(circle)")
        }
        geometry = [
            "type": "Point", "coordinates": .array([JSONValue(longitude), JSONValue(latitude)]),
        ]
        set("radius", JSONValue(radius))
    }

    private mutating func read(beacon: String) throws {
        guard let pattern = BeaconPattern(beacon) else {
            throw Failure.usage(
                "neither UUID[/MAJOR[/MINOR]] nor NAMESPACE[/INSTANCE]", "--beacon \(beacon)")
        }
        set("beacon", try JSONValue(parsing: BeaconJSON.text(pattern)))
    }

    private mutating func read(file: String) throws {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: contents(of: file))
        } catch let error as JSONError {
            throw Failure(error.reason, "\(file):\(error.position.line)")
        }
        switch value["type"]?.string {
        case "Feature":
            geometry = value["geometry"] ?? .null
            let own = ["type", "id", "properties", "geometry"]
            others = (value.object ?? []).filter { !own.contains($0.key) }
            for member in value["properties"]?.object ?? [] { set(member.key, member.value) }
        case "FeatureCollection":
            throw Failure("many fences: see geofencectl import", file)
        default: geometry = value
        }
    }

    /// The whole file, up to the size limit of one fence.
    private func contents(of path: String) throws(Failure) -> [UInt8] {
        let file = try Failure.at(path) { () throws(Errno) in try OpenFile(operand: path) }
        do throws(UnreadableFile) { return try file.contents(limit: 16 << 20) } catch {
            throw Failure(error.description, path)
        }
    }
}
