package import Time

/// Where events are announced. Three ship: the journal, the D-Bus signal and the console.
@MainActor
package protocol EventSink: AnyObject {
    /// For `Degraded`, and what its position is kept by: "journal", "bus", "console".
    var name: String { get }
    /// How long a power cut takes back what it has been told.
    var syncTime: TimeSpan { get }

    /// Announces one event, without ever waiting. False: it cannot now (a full socket, no bus) and
    /// wants to be offered the same event again.
    func announce(_ event: LoggedEvent) -> Bool
}

extension EventSink {
    package var syncTime: TimeSpan { .zero }
}
