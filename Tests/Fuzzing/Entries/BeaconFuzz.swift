import Bytes
import FixSources
import Law
import Model
import Storage
import Time

/// An advertisement as a radio reports it, a line of a recording, or a stored beacon fence.
enum BeaconFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        if case .success(let line?) = SightingFile.sighting(bytes), line.time < .boot {
            return "\(line) before the beginning"
        }
        if let fence = StoredFenceBytes.decode(bytes), let rule = fence.beacons {
            if let flaw = rule.flaw { return "stored, and \(flaw)" }
            guard StoredFenceBytes.decode(StoredFenceBytes.encode(fence)) == fence else {
                return "another after it was stored: \(fence)"
            }
        }
        let frames = bytes.withByteView { Advertisement.frames($0) }
        guard frames.count <= Advertisement.mostFrames else { return "\(frames.count) frames" }
        for frame in frames {
            guard bytes.count <= Advertisement.longest else { return "a frame of too many bytes" }
            guard (-169...127).contains(frame.measuredPower) else { return "\(frame)" }
            guard isSpelt(frame.identity) else { return "\(frame.identity.text) read otherwise" }
            guard frame.identity.patterns.allSatisfy({ $0.matches(frame.identity) }) else {
                return "\(frame.identity.text) is not of its own patterns"
            }
            guard frame.identity.patterns.allSatisfy({ BeaconPattern($0.text) == $0 }) else {
                return "a pattern of \(frame.identity.text) is read otherwise"
            }
            guard bytes.contains(identity: frame.identity) else {
                return "\(frame.identity.text) is not in the advertisement"
            }
        }
        return nil
    }

    /// Whether its text is read back as the same value.
    private static func isSpelt(_ identity: BeaconIdentity) -> Bool {
        let owner = identity.text.split(separator: "/").first.map(String.init) ?? ""
        return switch identity {
        case .proximity(let uuid, _, _): BeaconUUID(owner) == uuid
        case .eddystone(let namespace, _): BeaconNamespace(owner) == namespace
        }
    }
}

extension [UInt8] {
    /// Whether the bytes of an identity occur in these.
    fileprivate func contains(identity: BeaconIdentity) -> Bool {
        let wanted: [UInt8]
        switch identity {
        case .proximity(let uuid, let major, let minor):
            wanted =
                Self.of(uuid.high, 8) + Self.of(uuid.low, 8) + Self.of(UInt64(major), 2)
                + Self.of(UInt64(minor), 2)
        case .eddystone(let namespace, let instance):
            wanted =
                Self.of(UInt64(namespace.high), 2) + Self.of(namespace.low, 8)
                + Self.of(instance, 6)
        }
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { self[$0..<$0 + wanted.count] == wanted[...] }
    }

    private static func of(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
