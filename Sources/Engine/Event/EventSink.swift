/// Where events are announced. Two ship: the journal and the D-Bus signal.
@MainActor
package protocol EventSink: AnyObject {
    /// For the log and for `Degraded`: "journal", "bus".
    var name: String { get }

    /// Announces one event, without ever waiting. False: it cannot now (a full socket, no bus) and
    /// wants to be offered the same event again.
    func announce(_ event: LoggedEvent) -> Bool
}
