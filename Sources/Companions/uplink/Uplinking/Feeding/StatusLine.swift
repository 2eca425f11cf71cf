import Systemd
import Time

/// The line of `STATUS=`, and whether a change of it is worth an entry of the journal.
@MainActor
struct StatusLine {
    private var state = UplinkState.connecting
    private var text = ""

    /// What has changed; nil: nothing.
    struct Update {
        var text: String
        /// Another state, beyond the coming and going of events.
        var isNews: Bool
    }

    /// - Parameter until: when the destination is tried again; nil: it is not waited for.
    mutating func change(
        to state: UplinkState, until: Uptime?, _ window: SendWindow?
    ) -> Update? {
        var text = state.text
        if let until { text += "; next try in \((until - EventLoop.uptime).inWords)" }
        if let window { text += " (\(window.waiting) under way, acknowledged \(window.position))" }
        guard text != self.text else { return nil }
        let isNews = state.word != self.state.word && state != .draining && state != .idle
        self.state = state
        self.text = text
        return Update(text: text, isNews: isNews)
    }
}
