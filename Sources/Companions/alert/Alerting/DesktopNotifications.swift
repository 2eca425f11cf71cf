import BusClient
import Bytes
package import Sentences
package import Systemd
import Time

/// The alerts on the desktop, where a session has one: one notification for each hazard, which
/// urgent replaces and clear closes, and one for each other fence, which the next notice replaces.
///
/// https://specifications.freedesktop.org/notification-spec/latest/
@MainActor
package final class DesktopNotifications {
    private let address: BusAddress
    private let wording: Wording
    private let loop: EventLoop
    private let log: (String) -> Void
    private var connection: BusConnection?
    /// The server's numbers, by hazard.
    private var shown: [ExactText: UInt32] = [:]
    /// Whether the missing desktop has been logged.
    private var isReported = false

    private static let server = BusPeer(
        destination: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
        interface: "org.freedesktop.Notifications")
    private static let mostShown = 32

    /// - Parameters:
    ///   - address: the bus of the session. It is connected to at the first alert, and again
    ///     whenever it was lost.
    ///   - wording: of the titles.
    package init(
        _ address: BusAddress, _ wording: Wording, loop: EventLoop,
        log: @escaping (String) -> Void
    ) {
        self.address = address
        self.wording = wording
        self.loop = loop
        self.log = log
    }

    /// Shows it; of a clear, closes what was shown.
    package func show(_ alert: SpokenAlert) {
        do throws(SystemError) {
            if alert.stage == .clear { try close(alert.hazard) } else { try open(alert) }
        } catch { report("\(error)") }
    }

    private func connected() throws(SystemError) -> BusConnection {
        if let connection, connection.isOpen { return connection }
        shown = [:]
        let fresh = try BusConnection(to: address, loop: loop)
        connection = fresh
        return fresh
    }

    private func open(_ alert: SpokenAlert) throws(SystemError) {
        // Of a hazard that was never cleared.
        if shown.count >= Self.mostShown { shown = [:] }
        let isUrgent = alert.stage == .urgent
        let isNotice = alert.stage == .notice
        let title = wording.text(isUrgent ? .titleNoWayOut : .titleAhead)
        let hazard = alert.hazard
        try connected().call(
            Self.server, "Notify",
            [
                .string("geofenced"), .uint32(shown[hazard] ?? 0), .string("dialog-warning"),
                .string(isNotice ? alert.shown : title),
                .string(isNotice ? "" : alert.shown.escapedForMarkup),
                .strings([]),
                .dictionary([
                    ("urgency", .byte(isUrgent ? 2 : isNotice ? 0 : 1)),
                    ("category", .string(isNotice ? "geofenced.notice" : "geofenced.hazard")),
                    // The line is spoken, and has its own tone.
                    ("suppress-sound", .bool(true)),
                ]), .int32(-1),
            ], timeout: .seconds(5)
        ) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let message):
                isReported = false
                shown[hazard] = (try? message.values())?.first?.asUInt32
            case .failure(let error): report("\(error)")
            }
        }
    }

    private func close(_ hazard: String) throws(SystemError) {
        guard let number = shown.removeValue(forKey: hazard) else { return }
        try connected().call(Self.server, "CloseNotification", [.uint32(number)]) { _ in }
    }

    private func report(_ why: String) {
        guard !isReported else { return }
        isReported = true
        log("no notifications on the desktop: \(why)")
    }
}
