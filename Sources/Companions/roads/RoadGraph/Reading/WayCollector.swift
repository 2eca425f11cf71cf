/// A way as it is read: the road, or nothing for a railway on a bridge, and its nodes.
struct CollectedWay {
    let id: Int64
    let version: UInt32
    let road: RoadWay?
    /// Its nodes, in ``WayCollector/nodes``.
    let first: Int
    let count: Int
    /// In ``WayCollector/limits``; -1: it has none.
    let limits: Int32
}

/// The first pass: roads, railway bridges and turn restrictions of all files.
final class WayCollector: OSMVisitor {
    private(set) var ways: [CollectedWay] = []
    /// Ids of nodes, one way's after the other's.
    private(set) var nodes: [Int64] = []
    private(set) var limits: [Tags] = []
    private(set) var restrictions: [Restriction] = []
    /// West, south, east, north in degrees, of each file that has one.
    private(set) var boxes: [SIMD4<Double>] = []
    private(set) var names = [""]
    private var numbers: [String: Int32] = ["": 0]
    var report: (Double) -> Void = { _ in }

    override func object(_ object: Object) {
        guard object.nodes.count >= 2 else { return }
        let road = road(object)
        guard road != nil || isRailwayBridge(object.tags) else { return }
        var limit: Int32 = -1
        if road != nil, object.tags.keys.contains(where: \.isLimit) {
            limit = Int32(limits.count)
            limits.append(object.tags.filter { $0.key.isLimit })
        }
        ways.append(
            CollectedWay(
                id: object.id, version: object.version, road: road, first: nodes.count,
                count: object.nodes.count, limits: limit))
        nodes += object.nodes
    }

    override func restriction(_ restriction: Restriction) {
        // A rule that lorries are excepted from does not guide them.
        let excepted = restriction.except.split(separator: ";")
        guard !excepted.contains("hgv"), !excepted.contains("motor_vehicle") else { return }
        restrictions.append(restriction)
    }

    override func box(west: Double, south: Double, east: Double, north: Double) {
        boxes.append(SIMD4(west, south, east, north))
    }

    override func progress(_ share: Double) { report(share) }

    private func road(_ object: Object) -> RoadWay? {
        let tags = object.tags
        guard let tag = tags[.highway], let roadClass = RoadClass(tag: tag) else { return nil }
        let layer = tags[.layer].flatMap { Int8($0) } ?? 0
        return RoadWay(
            id: object.id, roadClass: roadClass, oneWay: oneWay(tags, roadClass),
            access: access(tags), structure: structure(tags), layer: max(-5, min(5, layer)),
            speed: speed(tags, roadClass), name: number(tags[.name]), reference: number(tags[.ref]),
            timestamp: object.timestamp)
    }

    private func oneWay(_ tags: Tags, _ roadClass: RoadClass) -> OneWay {
        switch tags[.oneway] {
        case "yes", "true", "1": return .forward
        case "-1", "reverse": return .backward
        case "no", "false", "0", "reversible", "alternating": return .both
        default: break
        }
        let isRound = tags[.junction] == "roundabout" || tags[.junction] == "circular"
        let isMotorway = roadClass == .motorway || roadClass == .motorwayLink
        return isRound || isMotorway ? .forward : .both
    }

    private func access(_ tags: Tags) -> RoadAccess {
        switch tags[.motorVehicle] ?? tags[.vehicle] ?? tags[.access] {
        case "private", "no", "customers", "permit", "agricultural", "forestry", "military":
            .limited
        default: .open
        }
    }

    private func structure(_ tags: Tags) -> RoadStructure {
        if let bridge = tags[.bridge], bridge != "no" { return .bridge }
        if let tunnel = tags[.tunnel], tunnel != "no" { return .tunnel }
        return .ground
    }

    /// The signed speed, where it is a number, up to what lorries drive.
    private func speed(_ tags: Tags, _ roadClass: RoadClass) -> Float {
        let words = (tags[.maxspeed] ?? "").split(separator: " ")
        guard let first = words.first, let number = Double(first), number >= 5, number <= 200
        else { return Float(roadClass.usualSpeed) }
        let unit = words.count > 1 && words[1] == "mph" ? 0.44704 : 1 / 3.6
        return Float(min(number * unit, RoadClass.motorway.usualSpeed))
    }

    private func isRailwayBridge(_ tags: Tags) -> Bool {
        guard let bridge = tags[.bridge], bridge != "no" else { return false }
        return ["rail", "light_rail", "tram", "subway", "narrow_gauge"].contains(tags[.railway])
    }

    private func number(_ name: String?) -> Int32 {
        guard let name else { return 0 }
        if let known = numbers[name] { return known }
        let number = Int32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }
}
