import Geodesy

extension Fence {
    /// Why this fence, though accepted, may never give an event; nil for a good one.
    ///
    /// An area smaller than the usual error of a receiver (15 m, 95 %) may be entered and left
    /// without a fix that proves it.
    package var warning: String? {
        guard let area else { return nil }
        if let approach { return ApproachCheck(approach, of: area.geometry).warning }
        let usualError = 15.0
        let inradius = area.inradii.min() ?? 0
        guard inradius < usualError else { return nil }
        let rounded = (inradius * 10).rounded() / 10
        return "too small to be told reliably: inradius \(rounded) m, usual error 15 m"
    }
}
