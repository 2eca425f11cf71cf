import BusClient
import WebServer

/// One who looks, by server-sent events: https://html.spec.whatwg.org/#server-sent-events
@MainActor
final class MapViewer {
    private let stream: WebStream
    /// It has the number of the last event that it has; of a newcomer it is not known before the
    /// daemon's is.
    private(set) var cursor: UInt64?
    private var wanted: UInt64?
    /// `hello` was sent.
    private(set) var isGreeted = false

    init(_ stream: WebStream, after seq: UInt64?) {
        self.stream = stream
        wanted = seq
    }

    /// What it is to get once it has taken what it has: of each kind the last one alone.
    private var due: [(event: String, message: [UInt8])] = []
    private var isFull = false

    /// Whether it may get events of the log; otherwise they are read again for it, later.
    /// - Parameter backlog: bytes that it has not taken, at most.
    func takes(_ backlog: Int) -> Bool { due.isEmpty && !isFull && stream.backlog < backlog }

    func close() { stream.close() }

    /// Sends an event that is not one of the log, now, or its successor when there is room.
    func send(_ event: String, _ json: [UInt8]) {
        let message = Self.message(event, nil, json)
        if due.isEmpty, stream.send(message) { return }
        due.removeAll { $0.event == event }
        due.append((event, message))
    }

    /// A line that browsers ignore.
    func comment(_ text: String) { stream.send(Array(":\(text)\n\n".utf8)) }

    /// It has taken everything.
    func drained() {
        isFull = false
        while let first = due.first, stream.send(first.message) { due.removeFirst() }
    }

    /// - Parameter last: the last number of the log: a greater one is of a log that is gone.
    func greet(last: UInt64) {
        isGreeted = true
        cursor = min(wanted ?? last, last)
        wanted = nil
    }

    /// The log is another one, whose numbers start again.
    func restart() {
        isGreeted = false
        cursor = nil
        wanted = nil
    }

    /// Events of the log after `low`, those alone that it does not have, and as many as it takes.
    func pass(_ events: [ToldEvent], after low: UInt64, upTo next: UInt64, _ hasGap: Bool) {
        guard let before = cursor, before < next else { return }
        if hasGap, before == low { send("gap", Array("{\"after\":\(low)}".utf8)) }
        for event in events where event.seq > cursor ?? next {
            guard stream.send(Self.message("event", event.seq, event.json)) else {
                isFull = true
                return
            }
            cursor = event.seq
        }
        cursor = max(cursor ?? next, next)
    }

    /// Line ends between the tokens of JSON are blanks; in its texts there are none.
    static func message(_ event: String, _ id: UInt64?, _ json: [UInt8]) -> [UInt8] {
        var bytes = Array("event: \(event)\n".utf8)
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "data: ".utf8
        for byte in json {
            bytes.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte)
        }
        bytes += "\n\n".utf8
        return bytes
    }
}
