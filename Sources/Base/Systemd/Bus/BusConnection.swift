import CSystemd
import Glibc
package import Time

// Unsafe: owns one reference to the connection, which is closed and released once.

/// A connection to a message bus, driven by the loop.
///
/// Opening it does not wait: connecting, authentication and our unique name are handled in the
/// loop, and messages sent before are queued. When the bus is lost the owner is notified once, and
/// makes a new connection when it sees fit; nothing of the old one can be used then.
@MainActor
@safe package final class BusConnection {
    nonisolated(unsafe) let bus: OpaquePointer
    /// How many messages may wait to be sent before ``emit(_:_:to:)`` refuses more: this bounds the
    /// memory when the bus does not read.
    package let queueLimit: Int
    private var localSignals: [BusSlot] = []

    /// `connected` is called when the connection is established, `disconnected` when it is lost or
    /// could not be established. Without a loop only ``callAndWait(_:_:_:timeout:interactive:)``
    /// works.
    package init(
        to address: BusAddress, loop: EventLoop?, priority: Int32 = 0, queueLimit: Int = 10_000,
        connected: (@MainActor () -> Void)? = nil,
        disconnected: (@MainActor () -> Void)? = nil
    ) throws(SystemError) {
        let address = try address.resolved()
        let operation = "connecting to \(address)"
        var bus: OpaquePointer?
        try unsafe check(sd_bus_new(&bus), operation)
        guard let bus = unsafe bus else { throw SystemError(operation: operation, errno: ENOMEM) }
        unsafe self.bus = unsafe bus
        self.queueLimit = queueLimit
        try unsafe check(sd_bus_set_address(bus, address), operation)
        try unsafe check(sd_bus_set_bus_client(bus, 1), operation)
        try unsafe check(sd_bus_set_exit_on_disconnect(bus, 0), operation)
        try unsafe check(sd_bus_set_connected_signal(bus, 1), operation)
        if let connected { localSignals.append(try subscribe(.local("Connected"), connected)) }
        if let disconnected {
            localSignals.append(try subscribe(.local("Disconnected"), disconnected))
        }
        if let loop { try unsafe check(sd_bus_attach_event(bus, loop.event, priority), operation) }
        try unsafe check(sd_bus_start(bus), operation)
    }

    // Not flushed: that blocks while the bus does not read.
    deinit { unsafe sd_bus_close_unref(bus) }

    private func subscribe(
        _ match: BusMatch, _ handler: @escaping @MainActor () -> Void
    ) throws(SystemError) -> BusSlot {
        try subscribe(match) { _ in handler() }
    }

    /// Closes at once. Neither `disconnected` nor pending replies are called.
    package func close() { unsafe sd_bus_close(bus) }

    /// Sends what is queued, waiting for the bus for at most `timeout`; false if something is left.
    /// Messages that arrive meanwhile may be dispatched. For an orderly stop.
    @discardableResult
    package func flush(timeout: TimeSpan) -> Bool {
        let deadline = EventLoop.uptime + max(.zero, timeout)
        while isOpen {
            if queuedMessages == 0, unsafe sd_bus_is_ready(bus) > 0 { return true }
            if unsafe sd_bus_process(bus, nil) > 0 { continue }
            let left = deadline - EventLoop.uptime
            guard left > .zero, unsafe sd_bus_wait(bus, microseconds(left)) >= 0 else {
                return false
            }
        }
        return false
    }

    /// False once it was closed or lost.
    package var isOpen: Bool { unsafe sd_bus_is_open(bus) > 0 }

    /// Our own name on the bus, such as ":1.42"; nil until connected.
    package var uniqueName: String? {
        guard unsafe sd_bus_is_ready(bus) > 0 else { return nil }
        var name: UnsafePointer<CChar>?
        guard unsafe sd_bus_get_unique_name(bus, &name) >= 0 else { return nil }
        return unsafe name.map { unsafe String(cString: $0) }
    }

    /// Messages that wait because the bus reads more slowly than we write, or because the
    /// connection is not established yet.
    package var queuedMessages: Int {
        var count: UInt64 = 0
        guard unsafe sd_bus_get_n_queued_write(bus, &count) >= 0 else { return 0 }
        return Int(clamping: count)
    }

    /// Bytes, including the kernel's overhead, that the bus has not read from our socket yet:
    /// everything sent now comes after them. sd-bus sets the socket's buffer to 8 MiB, and counts
    /// its content as sent.
    package var bytesOnTheWay: Int {
        let descriptor = unsafe sd_bus_get_fd(bus)
        var bytes: Int32 = 0
        // SIOCOUTQ, unix(7), which is TIOCOUTQ.
        guard descriptor >= 0, unsafe ioctl(descriptor, UInt(TIOCOUTQ), &bytes) == 0 else {
            return 0
        }
        return Int(bytes)
    }

    /// The message being dispatched, if any.
    var currentMessage: OpaquePointer? { unsafe sd_bus_get_current_message(bus) }
}
