import Geofence1
import Systemd

/// Decodes calls from bytes.
struct BusFuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func next() -> UInt8? { bytes.popFirst() }

    struct Call {
        var peer: BusPeer
        var member: String
        var arguments: [BusValue]
    }

    private static let members: [(String, String)] = [
        ("ApplyFences", "a(sa{sv})ast"), ("GetFence", "s"), ("ListFences", "a{sv}uu"),
        ("ImportFences", "hst"), ("GetStates", "as"), ("EvaluateAt", "ddd"), ("GetWindow", ""),
        ("GetPosition", ""), ("Recenter", ""), ("Reload", ""), ("ReadEvents", "tu"),
        ("CreateSubscription", "a{sv}"), ("RegisterConsumer", "sa{sv}"),
        ("UnregisterConsumer", "s"), ("AckEvents", "st"), ("Nothing", "v"), ("Close", ""),
        ("Get", "ss"), ("GetAll", "s"), ("Set", "ssv"), ("Introspect", ""), ("Ping", ""),
        ("ApplyFencesFrom", "sa(sa{sv})asa{sv}"), ("ImportFencesFrom", "hssa{sv}"),
        ("CountFences", "(dddd)uu"), ("ListOrigins", ""), ("AcceptLoss", "s"),
        ("AcceptLogLoss", ""), ("GetOrigin", "s"),
        ("GetMetafence", ""),
        ("SetPresence", "sua{sv}"), ("CreateRangingSession", "a{sv}"), ("ListBeacons", ""),
        ("Pause", ""), ("Resume", ""), ("FindEvents", "a{sv}tu"),
        ("SetDriver", "sa{sv}"), ("GetDriver", ""), ("ForgetDriver", "s"),
        ("SetRoute", "a(dd)a{sv}"), ("GetRoute", ""), ("ClearRoute", ""),
    ]
    private static let interfaces = [
        Geofence1.managerInterface, Geofence1.subscriptionInterface,
        "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable",
        "org.freedesktop.DBus.Peer", Geofence1.rangingInterface,
    ]
    private static let paths = [
        Geofence1.path, Geofence1.subscriptionPath(1), "/", "/org",
        "/" + String(repeating: "a/", count: 1000) + "a", Geofence1.rangingPath(1),
    ]
    /// Methods that the service has, and some that it does not have.
    private static let texts = [
        "", "a", "latitude", "longitude", "radius", "geometry", "width", "title", "description",
        "dwell", "notify_on_entry", "metadata", "ids", "kinds", "after", "Window", "Filter",
        "origin", "within", "bus", "source/a", "replace", "dry_run", "max_removed",
        "if_generation", "org.example.C", Geofence1.managerInterface, Geofence1.name,
        #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#,
        #"{"type":"LineString","coordinates":[[0,0],[1,0]]}"#, "geojson", "\u{1B}[2J",
        String(repeating: "long ", count: 4000), "beacons", "beacon", "uuid", "namespace",
        "interval", "until", "sightings", "companion", "00000000000000010000000000000002",
    ]

    /// The next call; nil at the end.
    mutating func call() -> Call? {
        guard let choice = next(), let place = next() else { return nil }
        let (member, signature) = Self.members[Int(choice) % Self.members.count]
        // Mostly the correct one.
        let usual =
            switch member {
            case "Get", "GetAll", "Set": 2
            case "Introspect": 3
            case "Ping": 4
            case "Close": 1
            case "Pause", "Resume": 5
            default: 0
            }
        let interface =
            place & 0x80 == 0
            ? Self.interfaces[usual] : Self.interfaces[Int(place & 7) % Self.interfaces.count]
        let path =
            place & 0x40 == 0 ? Self.paths[0] : Self.paths[Int(place >> 3 & 7) % Self.paths.count]
        let peer = BusPeer(destination: Geofence1.name, path: path, interface: interface)
        var arguments: [BusValue] = []
        if place & 0x20 == 0 {
            var rest = Substring(signature)
            while !rest.isEmpty { arguments.append(value(of: &rest, depth: 0)) }
        } else {
            for _ in 0..<Int((next() ?? 0) % 4) { arguments.append(anything(depth: 0)) }
        }
        return Call(peer: peer, member: member, arguments: arguments)
    }

    private mutating func number() -> UInt64 {
        let kind = next() ?? 0
        switch kind & 3 {
        case 0: return UInt64(kind >> 2)
        case 1: return UInt64(next() ?? 0) << UInt64(kind >> 2)
        case 2: return .max - UInt64(kind >> 2)
        default: return Double(Int(next() ?? 0) - 90).bitPattern
        }
    }

    private mutating func text() -> String {
        let choice = next() ?? 0
        if choice < 128 { return Self.texts[Int(choice) % Self.texts.count] }
        return String(decoding: (0..<Int(choice & 15)).map { _ in next() ?? 0 }, as: UTF8.self)
    }

    private mutating func anything(depth: Int) -> BusValue {
        let types = [
            "s", "d", "t", "b", "as", "a{sv}", "v", "(sd)", "ay", "h", "av", "u", "x", "o",
        ]
        var type = Substring(types[Int(next() ?? 0) % types.count])
        return value(of: &type, depth: depth)
    }

    /// A value of the first type of a signature, which it takes off.
    private mutating func value(of signature: inout Substring, depth: Int) -> BusValue {
        switch signature.removeFirst() {
        case "y": return .byte(next() ?? 0)
        case "b": return .bool((next() ?? 0) & 1 == 1)
        case "u": return .uint32(UInt32(truncatingIfNeeded: number()))
        case "x": return .int64(Int64(bitPattern: number()))
        case "t": return .uint64(number())
        case "d": return .double(Double(bitPattern: number()))
        case "o": return .objectPath("/a")
        // Standard input, which cannot be imported from.
        case "h": return .fileDescriptor(0)
        case "v": return .variant(depth > 20 ? .byte(0) : anything(depth: depth + 1))
        case "(":
            var members: [BusValue] = []
            while signature.first != ")" {
                members.append(value(of: &signature, depth: depth + 1))
            }
            signature.removeFirst()
            return .structure(members)
        case "a": return array(&signature, depth: depth + 1)
        default: return .string(text())
        }
    }

    private mutating func array(_ signature: inout Substring, depth: Int) -> BusValue {
        let element = Self.firstType(signature)
        signature.removeFirst(element.count)
        // A few, or the maximum of a call.
        let choice = next() ?? 0
        let count = depth > 8 ? 0 : choice == 255 ? 2000 : Int(choice % 5)
        if element == "{sv}" {
            return .options(
                (0..<count).map { _ in BusOption(text(), anything(depth: depth + 1)) })
        }
        return .array(
            of: element,
            (0..<count).map { _ in
                var type = Substring(element)
                return value(of: &type, depth: depth + 1)
            })
    }

    private static func firstType(_ signature: Substring) -> String {
        var depth = 0
        var type = ""
        for character in signature {
            type.append(character)
            if "({".contains(character) { depth += 1 }
            if ")}".contains(character) { depth -= 1 }
            if depth == 0, character != "a" { break }
        }
        return type
    }
}
