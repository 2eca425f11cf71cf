import Formats
import JSON
package import Model
package import Systemd
package import Time

/// Beacons on D-Bus: the requested patterns, and the beacons that are near.
package enum BeaconMessage {
    /// The signature of the beacons of `Ranged`.
    package static let signature = "(sqqa{sv})"
    /// The greatest number of patterns in one session.
    package static let mostPatterns = 64

    /// The patterns of a session, from `aa{sv}`: each like the property `beacon` of a fence.
    /// - Throws: ``FenceProblem`` for anything else.
    package static func patterns(_ value: BusValue?) throws(FenceProblem) -> Set<BeaconPattern> {
        guard let list = value?.asArray, !list.isEmpty else {
            throw FenceProblem("beacons is no list of dictionaries, or empty")
        }
        guard list.count <= mostPatterns else {
            throw FenceProblem("more than \(mostPatterns) beacons")
        }
        var patterns: Set<BeaconPattern> = []
        for value in list { patterns.insert(try pattern(value)) }
        return patterns
    }

    /// One pattern, from `a{sv}`.
    package static func pattern(_ value: BusValue) throws(FenceProblem) -> BeaconPattern {
        guard let json = JSONValue(value) else {
            throw FenceProblem("beacon is nothing that JSON can say")
        }
        do throws(BeaconFlaw) {
            return try BeaconJSON.pattern(json)
        } catch {
            throw FenceProblem(error.description)
        }
    }

    /// `aa{sv}`, what ``patterns(_:)`` reads.
    package static func value(of patterns: [BeaconPattern]) -> BusValue {
        .array(of: "a{sv}", patterns.map { BusValue(metadata: BeaconJSON.text($0)) })
    }

    /// `a{sv}` of one pattern, like the property `beacon` of a fence.
    package static func value(of pattern: BeaconPattern) -> BusValue {
        BusValue(metadata: BeaconJSON.text(pattern))
    }

    /// `a(sqqa{sv})`: UUID, major and minor number; for an Eddystone-UID the namespace, 0 and 0,
    /// with its `instance` among the details.
    package static func value(of beacons: [RangedBeacon], at now: Uptime) -> BusValue {
        .array(
            of: signature,
            beacons.map { beacon in
                var details = details(of: beacon, at: now)
                let (owner, major, minor): (String, UInt16, UInt16)
                switch beacon.identity {
                case .proximity(let uuid, let a, let b): (owner, major, minor) = (uuid.text, a, b)
                case .eddystone(let space, let instance):
                    (owner, major, minor) = (space.text, 0, 0)
                    let text = BeaconPattern.instance(space, instance).text
                    details.append(
                        ("instance", .string(String(text.dropFirst(space.text.count + 1)))))
                }
                return .structure([
                    .string(owner), .uint16(major), .uint16(minor), .dictionary(details),
                ])
            })
    }

    private static func details(
        of beacon: RangedBeacon, at now: Uptime
    ) -> [(String, BusValue)] {
        var details: [(String, BusValue)] = [
            ("proximity", .uint32(beacon.proximity.rawValue)),
            ("last_seen", .uint64(beacon.lastSeen.microseconds)),
            ("age_ms", .uint32(UInt32(clamping: (now - beacon.lastSeen).nanoseconds / 1_000_000))),
        ]
        if let rssi = beacon.rssi { details.append(("rssi", .int16(Int16(clamping: rssi)))) }
        if let level = beacon.level { details.append(("rssi_mean", .double(level))) }
        if let distance = beacon.distance {
            details.append(("distance_m", .double(distance)))
            details.append(("distance_factor", .double(RangedBeacon.distanceFactor)))
        }
        return details
    }

    /// What ``value(of:at:)`` wrote; a beacon of a kind unknown to this version is left out.
    package static func beacons(_ value: BusValue) -> [RangedBeacon] {
        (value.asArray ?? []).compactMap { element in
            guard let members = element.asStructure, members.count == 4,
                let owner = members[0].asString,
                let major = members[1].asUInt32.flatMap({ UInt16(exactly: $0) }),
                let minor = members[2].asUInt32.flatMap({ UInt16(exactly: $0) }),
                let details = members[3].asDictionary,
                let identity = identity(owner, major, minor, details["instance"]?.asString)
            else { return nil }
            return RangedBeacon(
                identity, rssi: details["rssi"]?.asInt64.map { Int($0) },
                level: details["rssi_mean"]?.asDouble, distance: details["distance_m"]?.asDouble,
                proximity: details["proximity"]?.asUInt32.flatMap(BeaconProximity.init)
                    ?? .unknown,
                lastSeen: Uptime(microseconds: details["last_seen"]?.asUInt64 ?? 0))
        }
    }

    private static func identity(
        _ owner: String, _ major: UInt16, _ minor: UInt16, _ instance: String?
    ) -> BeaconIdentity? {
        if let uuid = BeaconUUID(owner) { return .proximity(uuid, major: major, minor: minor) }
        guard let space = BeaconNamespace(owner),
            let number = instance.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        return .eddystone(space, instance: number)
    }
}
