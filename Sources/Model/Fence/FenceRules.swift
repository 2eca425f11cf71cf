import Geodesy
import SharedLimits

// Unsafe: the text's own bytes, by indices of theirs.

/// The limits of a fence besides its area, wherever it comes from; all lengths in bytes of UTF-8.
package enum FenceRules {
    /// Of an id; it is not empty either.
    package static let longestID = SharedLimits.fenceID
    /// Of a title.
    package static let longestTitle = SharedLimits.fenceTitle
    package static let longestDescription = SharedLimits.fenceDescription
    /// Metadata comes back on every event of its fence.
    package static let longestMetadata = SharedLimits.fenceMetadata

    /// What is wrong with an id; nil for a good one.
    package static func flaw(id: String) -> String? {
        if id.isEmpty { return "the id is empty" }
        if id.utf8.count > longestID { return "the id is longer than \(longestID) bytes" }
        if isPlain(id) { return nil }
        // C0, DEL and C1: an id is written to the journal and to terminals.
        let isControl: (Unicode.Scalar) -> Bool = { $0.properties.generalCategory == .control }
        return id.unicodeScalars.contains(where: isControl)
            ? "the id has a control character" : nil
    }

    /// Printable ASCII, as most are.
    private static func isPlain(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { bytes in
            var isPlain = true
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                isPlain = isPlain && byte &- 0x20 < 0x5F
            }
            return isPlain
        }
    }

    /// What is wrong with a fence; nil for a good one.
    /// - Parameter wasStored: it was accepted before, perhaps by a version that took more.
    package static func flaw(_ fence: Fence, wasStored: Bool = false) -> String? {
        if let flaw = flaw(id: fence.id) { return flaw }
        if fence.title.utf8.count > longestTitle { return tooLong("title", longestTitle) }
        if fence.description.utf8.count > longestDescription {
            return tooLong("description", longestDescription)
        }
        if fence.metadata.utf8.count > longestMetadata {
            return tooLong("metadata", longestMetadata)
        }
        if let flaw = fence.terms.flaw { return flaw }
        switch (fence.subject, fence.approach) {
        case (.area(let area), let approach?):
            if fence.isFollowed { return "a hazard has no arrive_sec" }
            return ApproachCheck(approach, of: area.geometry, wasStored: wasStored).flaw
        case (.area, nil): return nil
        case (.beacons, .some): return "an approach needs an area"
        case (.beacons(let rule), nil): return rule.flaw ?? fence.terms.flawOfBeacons
        }
    }

    private static func tooLong(_ name: String, _ longest: Int) -> String {
        "the \(name) is longer than \(longest) bytes"
    }
}

extension BeaconRule {
    /// What is wrong with the rule; nil for a valid one.
    package var flaw: String? {
        if !Self.counts.contains(sightings) { return "sightings \(sightings) is not 1 to 10" }
        if let leastRSSI, !Self.strengths.contains(leastRSSI) {
            return "min_rssi \(leastRSSI) is not -127 to 20"
        }
        guard let group else { return nil }
        if !isCompanion { return "a group without companion" }
        if let flaw = FenceRules.flaw(id: group) { return "of the group: \(flaw)" }
        return nil
    }
}
