import Engine

/// Fences of lost sets: when they come back they are what they were, and not new.
struct HeldFences {
    /// Those in which there is a stay, or an approach of which something was said, and those that have
    /// ended. In which generation each was added, by its id as bytes.
    private var fences: [[UInt8]: Generation] = [:]
    /// Of all others; nil if they may be new.
    private var others: Generation?

    init() {}

    init(_ stays: [OpenStay], _ ended: [SpentFence], others: Generation?) {
        self.others = others
        for fence in ended { fences[Array(fence.fence.utf8)] = fence.added }
        for stay in stays { fences[Array(stay.fence.utf8)] = stay.added }
    }

    func added(_ id: String) -> Generation? {
        (fences.isEmpty ? nil : fences[Array(id.utf8)]) ?? others
    }
}
