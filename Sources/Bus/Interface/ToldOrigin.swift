package import Model
package import Systemd

extension OriginSummary {
    /// From `(sa{sv})` of `ListOrigins`; nil for a value unknown to this version.
    package init?(bus value: BusValue) {
        guard let (name, details) = value.asNamed, let origin = try? FenceOrigin(text: name)
        else { return nil }
        self = .nothing(of: origin)
        Self.told.read(details, into: &self)
    }

    /// What there is of an origin beside its name.
    package static let told: [ToldMember<Self>] = [
        ToldMember(
            "fences", json: nil, .count, get: { UInt64(max(0, $0.fences)) },
            set: { $0.fences = Int(clamping: $1) }),
        ToldMember(onBus: "generation", .count, \.generation),
        ToldMember(
            "changed_at", json: nil, .optionalCount,
            get: { origin in
                // It is from a file.
                origin.changedAt.flatMap { UInt64(exactly: $0) }
                    .flatMap { $0 <= .max / 1_000_000 ? $0 * 1_000_000 : nil }
            },
            set: { $0.changedAt = $1.map { Int64(clamping: $0 / 1_000_000) } }),
        ToldMember(
            "count", json: nil, .count, get: { UInt64(max(0, $0.accepted)) },
            set: { $0.accepted = Int(clamping: $1) }),
        ToldMember(onBus: "digest", .text, \.digest),
        ToldMember(
            "copied", json: nil, .optionalFlag, get: { $0.origin.isFile ? nil : $0.isCopied },
            set: { $0.isCopied = $1 ?? false }),
        ToldMember(
            "lost", json: nil, .optionalCount,
            get: { $0.lost.map { UInt64(max(0, $0.fences)) } },
            set: { $0.lost = $1.map { Lost(fences: Int(clamping: $0), haveHazards: false) } }),
        ToldMember(
            "lost_hazards", json: nil, .optionalFlag, get: { $0.lost?.haveHazards },
            set: { $0.lost?.haveHazards = $1 ?? false }),
    ]
}
