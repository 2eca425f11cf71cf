import Engine
import Geodesy
import JSON

/// The numbers of the law behind an event, beside its distance and error: HANDBOOK, section 3.
struct EventEvidence: Equatable {
    /// Of the nearest part of the fence at the proving fix, m.
    var inradius: Double
    /// U of the stay that has ended, before the proving fix, m; of an exit only.
    var proofBound: Double?

    /// b, m: what an exit has to be beyond.
    func buffer(_ crossing: CrossingSettings) -> Double {
        min(max(inradius / 10, crossing.bufferFloor), crossing.bufferLimit)
    }

    /// `"inradius_m":…,"buffer_m":…` and, of an exit, `"proof_bound_m":…`: members of an object.
    func writeMembers(_ crossing: CrossingSettings, to json: inout JSONWriter) {
        json.key("inradius_m")
        json.number(inradius, decimals: 1)
        json.key("buffer_m")
        json.number(buffer(crossing), decimals: 1)
        guard let proofBound else { return }
        json.key("proof_bound_m")
        json.number(proofBound, decimals: 1)
    }
}

/// What a replay has to remember from one report to the next to give evidence.
struct EvidenceKeeper {
    /// U of the stays after the last report, m, by id.
    private var proofBounds: [String: Double] = [:]

    /// The evidence of an event of the present report; nil of one without a fence, and of a hazard,
    /// whose details have its numbers.
    func evidence(of event: Event, _ fence: Fence?) -> EventEvidence? {
        guard let fence, fence.approach == nil, let coordinate = event.coordinate else {
            return nil
        }
        return EventEvidence(
            inradius: fence.area.clearance(at: SurfacePoint(coordinate)).inradius,
            proofBound: event.kind == .exit ? proofBounds[fence.id] : nil)
    }

    /// The report is done.
    mutating func settle(_ engine: Engine) {
        proofBounds.removeAll(keepingCapacity: true)
        for region in engine.window?.regions ?? [] {
            guard case .inside(let stay) = region.state else { continue }
            proofBounds[region.entry.id] = stay.proofBound
        }
    }
}
