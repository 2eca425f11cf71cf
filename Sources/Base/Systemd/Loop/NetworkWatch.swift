import CSystemd
import Glibc

// Unsafe: bind(2) gets an address of ours with its own size, recv(2) an array of ours.

/// Tells that the network may have come up: an address or a route has appeared, see rtnetlink(7).
@MainActor
package final class NetworkWatch {
    private let descriptor: Int32
    private var source: IOSource?

    /// sockaddr_nl of <linux/netlink.h>, which no Swift module has.
    private struct NetlinkAddress {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
        var groups: UInt32 = 0x10 | 0x40 | 0x100 | 0x400
    }

    /// Calls `body` for every such change, as long as this lives. Sandboxes without AF_NETLINK have
    /// none: `body` is then never called.
    package init(_ loop: EventLoop, _ body: @escaping @MainActor () -> Void) throws(SystemError) {
        // NETLINK_ROUTE is 0.
        let descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0)
        self.descriptor = descriptor
        guard descriptor >= 0 else { return }
        var address = NetlinkAddress()
        let size = socklen_t(MemoryLayout<NetlinkAddress>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size)
            }
        }
        guard result == 0 else { return }
        source = try IOSource(loop, descriptor: descriptor, events: .readable) { _ in
            // What exactly has changed does not matter, nor whether some of it was lost.
            var bytes = [UInt8](repeating: 0, count: 1 << 13)
            while true {
                let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 || (count < 0 && (errno == EINTR || errno == ENOBUFS)) else {
                    break
                }
            }
            body()
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
