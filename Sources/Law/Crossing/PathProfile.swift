import Geodesy

/// The signed distance of one area along one path.
///
/// It changes by at most a metre per metre of path, so a search for a value may step by the
/// difference that is left without missing a root. Near a tangent the steps would become ever
/// shorter: they are never shorter than `resolution`, below which a root may be missed.
struct PathProfile {
    let area: Area
    let path: PathSegment
    /// Signed distance at the ends, m.
    let start: Double
    let end: Double

    /// The error of a distance that was measured at the end of a path of that length, m.
    @inline(__always)
    static func slack(_ length: Double) -> Double { 0.01 + length * 1e-3 }

    /// m; the accuracy of a search.
    private var resolution: Double { max(0.02, path.length / 4096) }

    func clearance(at fraction: Double) -> Clearance {
        area.clearance(on: path, at: fraction)
    }

    private func sample(at fraction: Double) -> Sample {
        let distance =
            if fraction <= 0 {
                start
            } else if fraction >= 1 {
                end
            } else {
                clearance(at: fraction).signedDistance
            }
        return Sample(fraction: fraction, signedDistance: distance)
    }

    /// Where the path passes the boundary, see ``Area/crossings(of:)``. Mostly it is too far away
    /// for that.
    var crossings: [Double] {
        let length = path.length
        if (start > 0) == (end > 0),
            start.magnitude + end.magnitude > length + 2 * Self.slack(length)
        {
            return []
        }
        return area.crossings(of: path)
    }

    /// The first fraction in `range` where `margin` is 0 or less. `margin` changes by at most a
    /// metre per metre.
    func first(in range: ClosedRange<Double>, where margin: (Clearance) -> Double) -> Double? {
        guard path.length > 0 else {
            return margin(clearance(at: range.lowerBound)) <= 0 ? range.lowerBound : nil
        }
        // Distances are exact to a relative 1e-4 only: a step is kept a little shorter.
        let shortfall = 0.999
        var (before, fraction) = (range.lowerBound, range.lowerBound)
        while true {
            let missing = margin(clearance(at: fraction))
            if missing <= 0 { return narrow(before...fraction, where: margin) }
            if fraction >= range.upperBound { return nil }
            let step = max(missing * shortfall, resolution)
            before = fraction
            fraction = min(fraction + step / path.length, range.upperBound)
        }
    }

    /// The last step may have gone too far: halves it down to a tenth of a millimetre.
    private func narrow(
        _ range: ClosedRange<Double>, where margin: (Clearance) -> Double
    ) -> Double {
        var (before, after) = (range.lowerBound, range.upperBound)
        while (after - before) * path.length > 0.0001 {
            let middle = (before + after) / 2
            if margin(clearance(at: middle)) <= 0 { after = middle } else { before = middle }
        }
        return after
    }

    /// Where in `range` the signed distance is least, and its value there, m. Where it is certainly
    /// not below `limit`, the end with the smaller distance is returned.
    func deepest(
        in range: ClosedRange<Double>, below limit: Double = .infinity
    ) -> Sample {
        let start = sample(at: range.lowerBound)
        let end = sample(at: range.upperBound)
        var best = start.signedDistance <= end.signedDistance ? start : end
        let length = (range.upperBound - range.lowerBound) * path.length
        let lowerBound = (start.signedDistance + end.signedDistance - length) / 2
        guard lowerBound - Self.slack(length) < limit else { return best }
        narrow(&best, start, end)
        return best
    }

    /// A point of the path.
    struct Sample {
        var fraction: Double
        /// m
        var signedDistance: Double
    }

    /// Halves a range that may still hold a smaller distance; not where the distance is monotone,
    /// for then the least is at an end, and both ends are known.
    private func narrow(_ best: inout Sample, _ start: Sample, _ end: Sample) {
        let length = (end.fraction - start.fraction) * path.length
        let lowerBound = (start.signedDistance + end.signedDistance - length) / 2
        guard length > resolution, lowerBound < best.signedDistance - resolution,
            !area.isMonotone(on: path, in: start.fraction...end.fraction)
        else { return }
        let here = sample(at: (start.fraction + end.fraction) / 2)
        if here.signedDistance < best.signedDistance { best = here }
        narrow(&best, start, here)
        narrow(&best, here, end)
    }
}
