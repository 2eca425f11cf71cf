import Engine

/// Fences of lost sets: when they come back they are what they were, and not new.
struct HeldFences {
    /// Those in which there is a stay, or an approach of which something was said, and those that have
    /// ended. In which generation each was added, by its id as bytes.
    private var fences: [[UInt8]: Generation] = [:]
    /// The greatest generation of which an event knew.
    private var known: Generation = 0
    /// Fences of the origin are lost, or may be.
    private var isLost = false
    /// They come from a file, which is read again as it was; what comes over the bus may be new, and of
    /// that there is a copy.
    private var isFile = false

    init() {}

    init(
        _ stays: [OpenStay], _ ended: [SpentFence], known: Generation, isLost: Bool, isFile: Bool
    ) {
        (self.known, self.isLost, self.isFile) = (known, isLost, isFile)
        for fence in ended { fences[Array(fence.fence.utf8)] = fence.added }
        for stay in stays { fences[Array(stay.fence.utf8)] = stay.added }
    }

    /// In which generation a fence was added that is not here; nil if it may be new.
    func added(_ id: String) -> Generation? {
        guard isLost else { return nil }
        return (fences.isEmpty ? nil : fences[Array(id.utf8)])
            ?? (isFile && known > 0 ? known : nil)
    }

    /// The same of one that is here and cannot be read.
    func addedUnreadable(_ id: String) -> Generation { fences[Array(id.utf8)] ?? known }
}
