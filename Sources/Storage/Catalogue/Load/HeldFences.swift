import Law
import Model

/// Fences of lost sets: when they come back they are what they were, and not new.
struct HeldFences {
    /// What the log says, with what waits for it: stays, or approaches of which something was said, fences
    /// that have ended, and the greatest generation of which an event knew.
    typealias Log = (stays: [OpenStay], ended: [SpentFence], known: Generation)

    /// In which generation each of these fences was added, by its id as bytes.
    private var fences: [[UInt8]: Generation] = [:]
    private var known: Generation = 0
    /// Fences of the origin are lost, or may be.
    private var isLost = false
    /// They come from a file, which is read again as it was; what comes over the bus may be new, and of
    /// that there is a copy.
    private var isFile = false
    /// Nil once it was read: few changes need it.
    private var log: (() throws -> Log)?

    init() {}

    init(isLost: Bool, isFile: Bool, log: @escaping () throws -> Log) throws {
        (self.isLost, self.isFile, self.log) = (isLost, isFile, log)
        if isLost { try read() }
    }

    private mutating func read() throws {
        guard let found = try log?() else { return }
        log = nil
        known = found.known
        for fence in found.ended { fences[Array(fence.fence.utf8)] = fence.added }
        for stay in found.stays { fences[Array(stay.fence.utf8)] = stay.added }
    }

    /// In which generation a fence was added that is not here; nil if it may be new.
    func added(_ id: String) -> Generation? {
        guard isLost else { return nil }
        return (fences.isEmpty ? nil : fences[Array(id.utf8)])
            ?? (isFile && known > 0 ? known : nil)
    }

    /// The same of one that is here and cannot be read.
    mutating func addedUnreadable(_ id: String) throws -> Generation {
        try read()
        return fences[Array(id.utf8)] ?? known
    }
}
