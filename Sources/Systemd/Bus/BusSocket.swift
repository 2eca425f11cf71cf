import CSystemd
import Glibc

/// The way round sd-bus for signals, see ``BusBytes``: onto its socket, while it has nothing to write
/// there itself. It reads, authenticates, queues and notices the end of the bus as ever.
@MainActor
final class BusSocket {
    nonisolated(unsafe) private let room = UnsafeMutableRawBufferPointer.allocate(
        byteCount: BusBytes.limit, alignment: 8)
    /// Of its own numbers sd-bus gives the lower half. Nobody answers a signal.
    private var serial: UInt32 = 1 << 31
    /// Whether this descriptor is such a socket.
    private var known: (descriptor: Int32, isStream: Bool)?

    deinit { room.deallocate() }

    fileprivate func send(
        _ signal: BusSignal, _ arguments: [BusValue], to destination: String?,
        over descriptor: Int32
    ) throws(SystemError) -> Bool {
        guard isLocalStream(descriptor),
            let count = BusBytes.write(signal, arguments, to: destination, serial: serial, in: room)
        else { return false }
        let sent = Glibc.send(
            descriptor, room.baseAddress, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        // A full socket, or a lost one: sd-bus knows what to do.
        guard sent > 0 else { return false }
        guard sent == count else {
            // No kernel that we know of. What follows would be read as the rest of it.
            shutdown(descriptor, Int32(SHUT_RDWR))
            throw SystemError(operation: signal.operation, errno: ECONNRESET)
        }
        serial = serial == .max ? 1 << 31 : serial + 1
        return true
    }

    /// Other ways to a bus, such as TCP, may take a part of a message.
    private func isLocalStream(_ descriptor: Int32) -> Bool {
        if let known, known.descriptor == descriptor { return known.isStream }
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            let result = getsockopt(descriptor, SOL_SOCKET, name, &value, &length)
            return result == 0 ? value : nil
        }
        let isStream =
            option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == Int32(SOCK_STREAM.rawValue)
        known = (descriptor, isStream)
        return isStream
    }
}

extension BusConnection {
    /// False where it is left to sd-bus: the connection does not stand yet or any more, something
    /// waits that must go first, or the message is none of the everyday ones.
    func sendAtOnce(
        _ signal: BusSignal, _ arguments: [BusValue], to destination: String?
    ) throws(SystemError) -> Bool {
        guard sd_bus_is_ready(bus) > 0, queuedMessages == 0 else { return false }
        let descriptor = sd_bus_get_fd(bus)
        guard descriptor >= 0 else { return false }
        return try socket.send(signal, arguments, to: destination, over: descriptor)
    }
}
