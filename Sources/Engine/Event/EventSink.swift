/// Where events are announced: the journal, or the D-Bus signal.
@MainActor
package protocol EventSink: AnyObject {
    /// For the log and for `Degraded`: "journal", "bus".
    var name: String { get }

    /// Announces one event without waiting. False: it cannot now (a full socket, no bus), and the
    /// caller offers the same event again later.
    func announce(_ event: LoggedEvent) -> Bool
}
