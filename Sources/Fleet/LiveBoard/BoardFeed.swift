import Systemd
import Time
import WebServer

/// Those who look, by server-sent events. They are told that something is new, and ask for it then,
/// each with the rights of its role.
@MainActor
final class BoardFeed {
    private var viewers: [WebStream] = []
    private var clock: TimerSource?

    /// The number of those who look.
    var viewerCount: Int { viewers.count }

    /// A page that hears nothing for 15 s believes that nobody is there.
    private static let interval = TimeSpan.seconds(5)

    init(_ loop: EventLoop) throws(SystemError) {
        clock = try TimerSource(loop, accuracy: .milliseconds(500)) { [weak self] in self?.live() }
    }

    /// Tells this one from now on, and of the present generation at once.
    func add(_ stream: WebStream, _ generation: UInt64) {
        viewers.append(stream)
        stream.onEnd = { [weak self, weak stream] in
            self?.viewers.removeAll { $0 === stream }
        }
        stream.send(Self.message(generation))
        if viewers.count == 1 { clock?.arm(at: EventLoop.uptime + Self.interval) }
    }

    /// Tells all of them. Who has not taken the last message asks anyway.
    func tell(_ generation: UInt64) {
        for viewer in viewers where viewer.backlog == 0 { viewer.send(Self.message(generation)) }
    }

    func close() { for viewer in viewers { viewer.close() } }

    /// A sign of life, which also finds out that a client has left.
    private func live() {
        for viewer in viewers where viewer.backlog == 0 { viewer.send(Array(":\n\n".utf8)) }
        if !viewers.isEmpty { clock?.arm(at: EventLoop.uptime + Self.interval) }
    }

    private static func message(_ generation: UInt64) -> [UInt8] {
        Array("event: changed\ndata: {\"generation\":\(generation)}\n\n".utf8)
    }
}
