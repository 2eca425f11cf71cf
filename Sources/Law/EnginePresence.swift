package import Model
package import Time

// Questions about presence, for those parts of the daemon that show it.
extension Engine {
    /// Where the vehicle is with respect to a fence of the catalogue, in the window or not: a fence
    /// outside the window was outside when it was last judged.
    package func presence(of entry: CatalogueEntry) -> Presence {
        if let monitor = monitor(of: entry) { return monitor.presence }
        return entry.added > known ? .unknown : .outside
    }

    /// When the open stay in that fence began, in the present time base; nil outside of it.
    package func stayBegan(in entry: CatalogueEntry) -> UTCTime? {
        guard case .crossing(.inside(let stay))? = monitor(of: entry)?.machine else { return nil }
        return stay.began
    }

    /// What the monotonic clock showed at `time`, in the present time base; nil before the first
    /// fix.
    package func uptime(at time: UTCTime) -> Uptime? {
        lastFix.map { $0.arrival + (time - $0.time) }
    }

    private func monitor(of entry: CatalogueEntry) -> RegionMonitor? {
        window?.regions.first {
            $0.key == entry.key && $0.entry.added == entry.added
        }
    }
}
