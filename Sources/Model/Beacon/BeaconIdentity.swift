/// The identity that a beacon sends; never its address, which may rotate.
package enum BeaconIdentity: Hashable, Sendable {
    /// An iBeacon, or an AltBeacon, whose id is divided 16 + 2 + 2 bytes in the same way.
    case proximity(BeaconUUID, major: UInt16, minor: UInt16)
    /// An Eddystone-UID; the instance has 48 bits.
    case eddystone(BeaconNamespace, instance: UInt64)

    /// `UUID/MAJOR/MINOR` with decimal numbers, or `NAMESPACE/INSTANCE` in hexadecimal digits.
    package var text: String {
        switch self {
        case .proximity(let uuid, let major, let minor): "\(uuid.text)/\(major)/\(minor)"
        case .eddystone(let namespace, let instance):
            "\(namespace.text)/\(Hexadecimal.text(instance, digits: 12))"
        }
    }
}

/// The beacons of a region: all of an owner, or a part of them, down to a single one.
package enum BeaconPattern: Hashable, Sendable {
    /// iBeacons and AltBeacons of this UUID.
    case uuid(BeaconUUID)
    /// Of this UUID and major number.
    case major(BeaconUUID, UInt16)
    /// Of this UUID, major and minor number.
    case minor(BeaconUUID, major: UInt16, minor: UInt16)
    /// Eddystone-UIDs of this namespace.
    case namespace(BeaconNamespace)
    /// Of this namespace and instance, 48 bits.
    case instance(BeaconNamespace, UInt64)

    /// Reads ``text``; a UUID may be spelt as ``BeaconUUID/init(_:)`` allows. Nil for any other
    /// text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count) else { return nil }
        if let space = BeaconNamespace(parts[0]) {
            switch parts.count {
            case 1: self = .namespace(space)
            case 2:
                let digits = Array(parts[1].utf8)
                guard digits.count == 12, let instance = Hexadecimal.number(digits) else {
                    return nil
                }
                self = .instance(space, instance)
            default: return nil
            }
            return
        }
        guard let uuid = BeaconUUID(parts[0]) else { return nil }
        let numbers = parts.dropFirst().compactMap { part in
            part.utf8.first == UInt8(ascii: "+") ? nil : UInt16(part)
        }
        guard numbers.count == parts.count - 1 else { return nil }
        switch numbers.count {
        case 0: self = .uuid(uuid)
        case 1: self = .major(uuid, numbers[0])
        default: self = .minor(uuid, major: numbers[0], minor: numbers[1])
        }
    }

    /// Like ``BeaconIdentity/text``, up to the last given part.
    package var text: String {
        switch self {
        case .uuid(let uuid): uuid.text
        case .major(let uuid, let major): "\(uuid.text)/\(major)"
        case .minor(let uuid, let major, let minor): "\(uuid.text)/\(major)/\(minor)"
        case .namespace(let space): space.text
        case .instance(let space, let instance):
            "\(space.text)/\(Hexadecimal.text(instance, digits: 12))"
        }
    }

    /// Whether that beacon matches.
    package func matches(_ identity: BeaconIdentity) -> Bool {
        identity.patterns.contains(self)
    }

    /// The only beacon that matches; nil for a pattern of several.
    package var identity: BeaconIdentity? {
        switch self {
        case .uuid, .major, .namespace: nil
        case .minor(let uuid, let major, let minor): .proximity(uuid, major: major, minor: minor)
        case .instance(let namespace, let instance): .eddystone(namespace, instance: instance)
        }
    }

    /// The part that all of its beacons share: the key by which regions are looked up.
    package var owner: BeaconPattern {
        switch self {
        case .uuid, .namespace: self
        case .major(let uuid, _), .minor(let uuid, _, _): .uuid(uuid)
        case .instance(let namespace, _): .namespace(namespace)
        }
    }
}

extension BeaconIdentity {
    /// The pattern of this beacon alone.
    package var pattern: BeaconPattern {
        switch self {
        case .proximity(let uuid, let major, let minor): .minor(uuid, major: major, minor: minor)
        case .eddystone(let namespace, let instance): .instance(namespace, instance)
        }
    }

    /// Every pattern that matches it, the widest first.
    package var patterns: [BeaconPattern] {
        switch self {
        case .proximity(let uuid, let major, let minor):
            [.uuid(uuid), .major(uuid, major), .minor(uuid, major: major, minor: minor)]
        case .eddystone(let namespace, let instance):
            [.namespace(namespace), .instance(namespace, instance)]
        }
    }
}
