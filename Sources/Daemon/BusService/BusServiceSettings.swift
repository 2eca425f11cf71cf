import Systemd
package import Time

/// The settings of the bus service; the limits are those of `[Bus]` in geofenced.conf(5).
package struct BusServiceSettings: Sendable {
    /// The program's version.
    package var version: String
    /// Callers who may do everything without asking polkit.
    package var trusted = TrustedCallers.standard()
    /// How long an answer of polkit counts, s.
    package var authorizationSeconds = 10.0
    /// Fences that one `ApplyFences` may change.
    package var batchLimit = 10_000
    /// Bytes that one `ImportFences` may send.
    package var importLimit: Int64 = 1 << 30
    /// Where data from a pipe is stored until it is complete, in unnamed files.
    package var spoolDirectory = "/tmp"
    /// Subscriptions that one caller may hold.
    package var subscriptionLimit = 16
    /// Subscriptions in all.
    package var totalSubscriptionLimit = 256
    /// Subscriptions of one untrusted user: no user can take them all.
    package var subscriptionLimitPerUser = 64
    /// The greatest number of ranging sessions of one caller.
    package var rangingLimit = 4
    /// The greatest number of ranging sessions in all.
    package var totalRangingLimit = 16
    /// Durable consumers.
    package var consumerLimit = 64
    /// Durable consumers of one user who may not manage fences.
    package var consumerLimitPerUser = 8
    /// Unacknowledged events are sent to a consumer again after this, s, then after twice as long,
    /// and so on, at most 10 min: if it answered, and if it could not be started.
    package var redelivery = (answered: 10.0, unreachable: 1.0)
    /// A bus that has read none of the waiting messages for this long, s, is stalled.
    package var stallSeconds = 30.0
    /// How long a program may leave unread what was sent to it until its subscriptions end, s.
    package var unreadSeconds = 3600.0
    /// Events in one answer to `ReadEvents`.
    package var pageLimit = 1000
    /// Fences in one answer to `ListFences`, and ids in one call of `GetStates`.
    package var listLimit = 1000
    /// How long one query about many fences may run before the rest of the loop has its turn.
    package var questionPortion = TimeSpan.milliseconds(5)

    package init(version: String) { self.version = version }
}

/// What the bus service asks and tells the program around it.
@MainActor
package struct BusServiceHooks {
    /// The time of the inputs, in a replay that of the recording: for calls of the monitoring
    /// service, never for timers or for how long something takes.
    package var now: () -> Uptime
    /// For the property `Source`: the configured source of positions.
    package var source: () -> String = { "" }
    /// For the property `Receiver`: which of the source's receivers counts; empty where that is not
    /// known.
    package var receiver: () -> String = { "" }
    /// For the property `StartTimestamp`: when the program began.
    package var began = EventLoop.uptime
    /// Carries out a notice at once.
    package var notify: (BusNotice) -> Void = { _ in }

    package init(now: @escaping () -> Uptime) { self.now = now }
}
