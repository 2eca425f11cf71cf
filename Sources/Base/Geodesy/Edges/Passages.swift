/// Keeps, of the places where a path may change sides, those where it does.
///
/// The side is determined at both ends and once between neighbouring candidates. So the number of
/// passages always agrees with the sides of the ends; neither a touch nor the change from one part
/// to another that overlaps it gives a passage.
func passages(
    _ candidates: [Double], isInside: (_ fraction: Double) -> Bool
) -> [Double] {
    var side = isInside(0)
    let endSide = isInside(1)
    guard !candidates.isEmpty || side != endSide else { return [] }
    var result: [Double] = []
    var last = 0.0
    var lastAsked = 0.0
    for (place, candidate) in (candidates.sorted() + [1]).enumerated() {
        let middle = last + (candidate - last) / 2
        let here = candidate > last ? isInside(middle) : side
        if here != side {
            // There should be no change before the first candidate; where rounding has made one (an
            // end that lies on the boundary), it is searched for.
            result.append(
                place == 0
                    ? bisect(lastAsked, middle, from: side, isInside) : last)
            side = here
        }
        lastAsked = middle
        last = candidate
    }
    if side != endSide {
        result.append(bisect(lastAsked, 1, from: side, isInside))
    }
    return result
}

/// Where between two fractions the side changes, to about a micrometre.
private func bisect(
    _ low: Double, _ high: Double, from side: Bool, _ isInside: (Double) -> Bool
) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<40 {
        let middle = low + (high - low) / 2
        if isInside(middle) == side { low = middle } else { high = middle }
    }
    return high
}

/// The roots of a function along a path that changes by at most a metre per metre: pieces whose
/// values are too far from zero are skipped, the others are halved down to two centimetres. A pair
/// of roots closer than that is not found.
func roots(of distance: (SIMD3<Double>) -> Double, along path: PathSegment) -> [Double] {
    var found: [Double] = []
    let length = path.length
    guard length > 0, length < .infinity else { return [] }
    // A path that follows the boundary for kilometres would be searched centimetre by centimetre:
    // after this many evaluations pieces of a metre, or 1/16 384 of the path, are small enough.
    var questions = 0
    let patience = 2000
    let fine = min(0.02 / length, 1)
    let coarse = max(1 / length, 1.0 / 16384)

    func bisect(_ s0: Double, _ f0: Double, _ s1: Double, _ f1: Double) -> Double {
        var (s0, f0, s1, f1) = (s0, f0, s1, f1)
        for _ in 0..<80 {
            let slope = f1 - f0
            let s = slope != 0 ? s0 - f0 * (s1 - s0) / slope : (s0 + s1) / 2
            let f = distance(path.position(at: s))
            if f.magnitude < 1e-5 || (s1 - s0).magnitude * length < 1e-5 { return s }
            if (f > 0) == (f1 > 0) { f0 /= 2 } else { (s0, f0) = (s1, f1) }
            (s1, f1) = (s, f)
        }
        return s1
    }
    func search(_ s0: Double, _ f0: Double, _ s1: Double, _ f1: Double) {
        let piece = (s1 - s0) * length * 1.002
        let changes = (f0 > 0) != (f1 > 0)
        if !changes, f0.magnitude + f1.magnitude > piece { return }
        if s1 - s0 <= (questions < patience ? fine : coarse) {
            if changes { found.append(bisect(s0, f0, s1, f1)) }
            return
        }
        let middle = (s0 + s1) / 2
        let f = distance(path.position(at: middle))
        questions += 1
        search(s0, f0, middle, f)
        search(middle, f, s1, f1)
    }
    let first = distance(path.start.ecef)
    let last = distance(path.end.ecef)
    guard first.isFinite, last.isFinite else { return [] }
    search(0, first, 1, last)
    return found
}
