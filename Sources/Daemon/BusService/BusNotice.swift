package import Model

/// What the bus service has for the program around it, which carries it out at once, in one place.
package enum BusNotice {
    /// `Reload` was called by an authorized caller.
    case reload
    /// The ranging sessions now request these beacons, and no others.
    case ranging(Set<BeaconPattern>)
    /// We own the name and may send signals; or no longer own it.
    case nameChanged(isOurs: Bool)
    /// The bus refuses us the name, for this reason: try again later on a new connection. On a
    /// fresh installation the daemon may start before the bus has read the policy.
    case nameRefused(String)
    /// The bus no longer reads from us: close the connection and open another. What the bus keeps
    /// for a program that does not read is charged to the sender, and a connection with more than
    /// 127 MiB of it is not read any more (max_incoming_bytes, dbus-daemon(1)); a new connection
    /// starts with nothing charged. The new service is made with `afterStall`.
    case stalled
    /// Worth a line in the log: a consumer or subscription dropped, the name lost.
    case log(String)
}
