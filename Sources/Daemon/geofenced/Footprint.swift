import Systemd
import Time

/// How much memory a fix needs, against all that is needed now and then: the start, a crossing, a
/// window that is filled anew run through code and constants that the next thousand fixes do not need,
/// and the box has little memory. What of them is never written is given back.
@MainActor
final class Footprint {
    private var segments = ReadOnlySegments()
    /// More than a fix has been done since.
    private var isLarge = true
    /// Nothing but fixes since then.
    private var quietSince: Uptime?

    /// More than a fix has been done.
    func grow() {
        isLarge = true
        quietSince = nil
    }

    /// A fix has been done, or some that came together. After ten minutes of nothing else all is
    /// given back, at no wake-up of its own. Sooner would cost more than it saves: what the next fix and
    /// the next crossing map again are some seventy faults each, most of a millisecond on a slow
    /// machine, and on the open road crossings are minutes apart.
    func rest() {
        guard isLarge else { return }
        let now = EventLoop.uptime
        guard let quietSince else {
            quietSince = now
            return
        }
        guard now - quietSince >= .seconds(600) else { return }
        shrink()
        isLarge = false
    }

    func shrink() {
        segments.refresh()
        segments.giveBack()
    }
}
