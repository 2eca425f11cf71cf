import Bytes
import Systemd
import Time
import WebServer

/// Those who look, by server-sent events. They are told that something is new, and ask for it then,
/// each with the rights of its role.
@MainActor
final class BoardFeed {
    private var viewers: [(stream: WebStream, role: ExactText?)] = []
    private var clock: TimerSource?

    /// At once; each is a connection that stays.
    static let most = 200

    /// A page that hears nothing for 15 s believes that nobody is there.
    private static let interval = TimeSpan.seconds(5)

    init(_ loop: EventLoop) throws(SystemError) {
        clock = try TimerSource(loop, accuracy: .milliseconds(500)) { [weak self] in self?.live() }
    }

    /// Whether there is a place for one more of a role: where there is none, the role that has most of them
    /// makes room, unless that is this one.
    func hasPlace(for role: ExactText?) -> Bool {
        guard viewers.count >= Self.most else { return true }
        let shares = viewers.reduce(into: [ExactText?: Int]()) { $0[$1.role, default: 0] += 1 }
        guard let most = shares.max(by: { $0.value < $1.value }),
            most.value > shares[role, default: 0] + 1
        else { return false }
        viewers.first { $0.role == most.key }?.stream.close()
        return true
    }

    /// Tells this one from now on, and of the present generation at once.
    func add(_ stream: WebStream, of role: ExactText?, _ generation: UInt64) {
        viewers.append((stream, role))
        stream.onEnd = { [weak self, weak stream] in
            self?.viewers.removeAll { $0.stream === stream }
        }
        stream.send(Self.message(generation))
        if viewers.count == 1 { clock?.arm(at: EventLoop.uptime + Self.interval) }
    }

    /// Tells all of them. Who has not taken the last message asks anyway.
    func tell(_ generation: UInt64) { send(Self.message(generation)) }

    func close() { for viewer in viewers { viewer.stream.close() } }

    /// A sign of life, which also finds out that a client has left.
    private func live() {
        send(Array(":\n\n".utf8))
        if !viewers.isEmpty { clock?.arm(at: EventLoop.uptime + Self.interval) }
    }

    private func send(_ message: [UInt8]) {
        for viewer in viewers where viewer.stream.backlog == 0 { viewer.stream.send(message) }
    }

    private static func message(_ generation: UInt64) -> [UInt8] {
        Array("event: changed\ndata: {\"generation\":\(generation)}\n\n".utf8)
    }
}
