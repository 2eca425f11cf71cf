package import Time

/// What the bus service may be told; the limits are those of `[Bus]` in geofenced.conf(5).
package struct BusServiceSettings: Sendable {
    /// Of the program.
    package var version: String
    /// Callers who may do everything without polkit being asked.
    package var trusted = TrustedCallers.standard()
    /// Fences that one `ApplyFences` may change.
    package var batchLimit = 10_000
    /// Bytes that one `ImportFences` may send.
    package var importLimit = 1 << 30
    /// Where what comes through a pipe is kept until it is whole, in files without names.
    package var spoolDirectory = "/tmp"
    /// Subscriptions that one caller may hold.
    package var subscriptionLimit = 16
    /// Subscriptions in all.
    package var totalSubscriptionLimit = 256
    /// Subscriptions of one user who is not trusted: no user can take them all.
    package var subscriptionLimitPerUser = 64
    /// Durable consumers.
    package var consumerLimit = 64
    /// Durable consumers of one user who may not manage fences.
    package var consumerLimitPerUser = 8
    /// What a consumer has not acknowledged is brought again after this, s, then after twice as
    /// long, and so on, at most 10 min: where it answered, and where it could not be started.
    package var redelivery = (answered: 10.0, unreachable: 1.0)
    /// A bus that has taken nothing of what waits for so long, s, has stalled us.
    package var stallSeconds = 30.0
    /// Events that one `ReadEvents` answers.
    package var pageLimit = 1000
    /// Fences that one `ListFences` answers, and ids that one `GetStates` takes.
    package var listLimit = 1000

    package init(version: String) { self.version = version }
}

/// What the bus service asks of the program around it.
@MainActor
package struct BusServiceHooks {
    /// CLOCK_BOOTTIME now.
    package var now: () -> Uptime
    /// `Reload` was called by somebody who may.
    package var reload: () -> Void = {}
    /// For the property `Source`: where positions come from, as configured.
    package var source: () -> String = { "" }
    /// The name is ours: signals may be sent; or it no longer is.
    package var nameChanged: (_ isOurs: Bool) -> Void = { _ in }
    /// The bus does not let us have the name, for this reason: ask again later on a new connection.
    /// On a fresh installation the daemon may be there before the bus has read the policy.
    package var nameRefused: (_ why: String) -> Void = { _ in }
    /// The bus reads nothing from us any more: close the connection and make another. What the bus
    /// keeps for a program that does not read is counted against whoever sent it, and a connection
    /// with more than 127 MiB of it is not read any more (max_incoming_bytes, dbus-daemon(1)); a
    /// new connection has nothing to its name. The new service is made with `afterStall`.
    package var stalled: () -> Void = {}
    /// Something worth a line of the log: a consumer or subscription given up, the name taken.
    package var log: (String) -> Void = { _ in }

    package init(now: @escaping () -> Uptime) { self.now = now }
}
