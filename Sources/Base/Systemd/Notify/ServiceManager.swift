import CSystemd
import Files
import Glibc
package import Time

// Unsafe: libsystemd's list of names is read up to its count and released once.

/// Reports our state to the service manager with sd_notify(3), without ever blocking. Outside of a
/// service nothing is sent and nothing fails.
@MainActor
package final class ServiceManager {
    /// The result of a notification.
    package enum Outcome: Equatable, Sendable {
        case sent
        /// No service manager: NOTIFY_SOCKET is not set.
        case notAService
        /// The manager does not read at the moment.
        case wouldBlock
        case failed(Int32)
    }

    private let socket: DatagramSocket?

    /// The manager that started this process, if one did.
    package convenience init() throws(SystemError) {
        try self.init(path: environment("NOTIFY_SOCKET"))
    }

    /// `path` is the path of the manager's socket.
    package init(path: String?) throws(SystemError) {
        guard let path else {
            socket = nil
            return
        }
        socket = try DatagramSocket(path: path)
    }

    /// Start-up, or a reload, is done.
    @discardableResult
    package func ready(status: String? = nil) -> Outcome {
        send(["READY=1"] + statusLine(status))
    }

    /// A reload has begun; end it with ``ready(status:)``. The time is for Type=notify-reload,
    /// which an older manager ignores.
    @discardableResult
    package func reloading() -> Outcome {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let time = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
        return send(["RELOADING=1", "MONOTONIC_USEC=\(time)"])
    }

    /// The start takes longer: extends its timeout by this much from now on.
    @discardableResult
    package func starting(for time: TimeSpan) -> Outcome {
        send(["EXTEND_TIMEOUT_USEC=\(microseconds(time))"])
    }

    /// STOPPING=1: an orderly stop has begun.
    @discardableResult
    package func stopping() -> Outcome { send(["STOPPING=1"]) }

    /// One line for `systemctl status`.
    @discardableResult
    package func status(_ text: String) -> Outcome { send(statusLine(text)) }

    /// For use without our loop; the loop feeds the watchdog itself, see ``Watchdog``.
    @discardableResult
    package func watchdog() -> Outcome { send(["WATCHDOG=1"]) }

    /// Changes the watchdog's timeout. The loop continues to feed it at its original rate.
    @discardableResult
    package func watchdogPatience(_ time: TimeSpan) -> Outcome {
        send(["WATCHDOG_USEC=\(microseconds(time))"])
    }

    /// Stores descriptors (up to 16) in the manager through a restart; they come back from
    /// ``takeDescriptors()`` by `name`: up to 255 printable characters without a colon.
    @discardableResult
    package func store(_ descriptors: [Int32], name: String) -> Outcome {
        guard (1...Int(GEOFENCED_MAX_FDS)).contains(descriptors.count),
            (1...255).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x3A })
        else { return .failed(EINVAL) }
        return send(["FDSTORE=1", "FDNAME=\(name)"], descriptors)
    }

    /// Makes the manager close what is stored under `name`.
    @discardableResult
    package func forget(name: String) -> Outcome {
        send(["FDSTOREREMOVE=1", "FDNAME=\(name)"])
    }

    private func statusLine(_ text: String?) -> [String] {
        text.map { ["STATUS=" + String($0.map { $0.isNewline ? " " : $0 })] } ?? []
    }

    private func send(_ assignments: [String], _ descriptors: [Int32] = []) -> Outcome {
        guard let socket else { return .notAService }
        let bytes = Array(assignments.joined(separator: "\n").utf8)
        switch socket.send(bytes, descriptors: descriptors) {
        case 0: return .sent
        case EAGAIN, ENOBUFS: return .wouldBlock
        case let code: return .failed(code)
        }
    }

    /// The descriptors that the manager has passed to this process, by name, once: sockets it
    /// listens on and stored ones. The caller owns them.
    package static func takeDescriptors() throws(SystemError) -> [(name: String, descriptor: Int32)]
    {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = try unsafe check(
            sd_listen_fds_with_names(1, &names), "taking descriptors from the service manager")
        defer {
            if let names = unsafe names {
                for index in 0..<Int(count) { unsafe free(names[index]) }
                unsafe free(names)
            }
        }
        return (0..<count).map { index in
            let name = unsafe names?[Int(index)].map { unsafe String(cString: $0) } ?? "unknown"
            return (name, Int32(SD_LISTEN_FDS_START) + index)
        }
    }

    /// The manager's watchdog timeout for this process; nil when it has none.
    package static var watchdogInterval: TimeSpan? {
        var interval: UInt64 = 0
        guard unsafe sd_watchdog_enabled(0, &interval) > 0 else { return nil }
        return .microseconds(1) * Int64(clamping: interval)
    }

    /// The id of this boot, 32 hexadecimal digits, as `_BOOT_ID` in the journal. If the service
    /// cannot read the kernel's (`ProcSubset=pid`), it is the credential `boot_id`, which
    /// `LoadCredential=` of systemd.exec(5) can provide.
    package static func bootID() throws(SystemError) -> String {
        var id = sd_id128_t()
        let result = unsafe sd_id128_get_boot(&id)
        if result >= 0 { return hexadecimal(id) }
        if let given = bootID(inCredentials: environment("CREDENTIALS_DIRECTORY")) { return given }
        throw SystemError(operation: "reading the boot id", errno: -result)
    }

    /// The one in the directory of credentials; nil if it is not there.
    package static func bootID(inCredentials directory: String?) -> String? {
        guard let directory else { return nil }
        // A UUID in the kernel's format, up to the end of the line.
        let text = try? OpenFile(regular: "\(directory)/boot_id").bytes(at: 0, count: 36)
        var id = sd_id128_t()
        guard let text,
            unsafe sd_id128_from_string(String(decoding: text, as: UTF8.self), &id) >= 0
        else { return nil }
        return hexadecimal(id)
    }

    private static func hexadecimal(_ id: sd_id128_t) -> String {
        let digits = Array("0123456789abcdef")
        return unsafe withUnsafeBytes(of: id) { bytes in
            unsafe String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }
    }
}
