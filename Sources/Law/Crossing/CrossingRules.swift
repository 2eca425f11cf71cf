import Geodesy
import Model
import Time

/// The inequalities of section 3 of the law, and nothing else: d is the signed distance, ρ the
/// inradius, e the error, b the buffer, U the proof bound of a stay; all in metres.
struct CrossingRules {
    let settings: CrossingSettings

    /// b: an exit needs the vehicle to be further outside than this.
    func buffer(_ inradius: Double) -> Double {
        min(max(inradius / 10, settings.bufferFloor), settings.bufferLimit)
    }

    /// How far d is above where an enter is certain; 0 or less is certain. Falls no faster than d
    /// does, so that a search along a path may step by it.
    func marginToCertainEnter(_ at: Clearance, error: Double) -> Double {
        let proof = at.signedDistance + error
        guard error <= (buffer(at.inradius) + at.inradius) / 2 else { return proof }
        return min(proof, at.signedDistance + at.inradius / 2)
    }

    func isCertainlyInside(_ at: Clearance, error: Double) -> Bool {
        marginToCertainEnter(at, error: error) <= 0
    }

    /// Metres of a run that prove an enter.
    func runToProve(_ inradius: Double, error: Double) -> Double { min(inradius, error) }

    /// May this fix support a settling enter?
    func supportsEnter(_ at: Clearance, error: Double) -> Bool {
        at.signedDistance <= 0 && error <= at.inradius + buffer(at.inradius)
    }

    /// What d − e must exceed for an exit to be certain.
    func exitThreshold(_ inradius: Double, proofBound: Double) -> Double {
        max(buffer(inradius), proofBound)
    }

    func isCertainlyOutside(_ at: Clearance, error: Double, proofBound: Double) -> Bool {
        at.signedDistance - error > exitThreshold(at.inradius, proofBound: proofBound)
    }

    /// May this fix support a settling exit?
    func supportsExit(_ at: Clearance, error: Double, proofBound: Double) -> Bool {
        at.signedDistance > buffer(at.inradius)
            && at.signedDistance - error > proofBound
    }
}

// MARK: - What a proof leaves behind

extension CrossingRules {
    /// What stands in the inequalities at that clearance.
    func evidence(
        _ at: Clearance, distance: Double? = nil, error: Double, proofBound: Double? = nil,
        run: Double? = nil, settled: TimeSpan? = nil
    ) -> Evidence {
        Evidence(
            distance: distance ?? at.signedDistance, error: error, inradius: at.inradius,
            buffer: buffer(at.inradius), proofBound: proofBound, run: run, settled: settled)
    }
}
