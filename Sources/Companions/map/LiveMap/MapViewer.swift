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

    var backlog: Int { stream.backlog }

    func close() { stream.close() }

    /// Sends an event that is not one of the log.
    func send(_ event: String, _ json: [UInt8]) { stream.send(Self.message(event, nil, json)) }

    /// A line that browsers ignore.
    func comment(_ text: String) { stream.send(Array(":\(text)\n\n".utf8)) }

    /// - Parameter last: the last number of the log: a greater one is of a log that is gone.
    func greet(last: UInt64) {
        isGreeted = true
        cursor = min(wanted ?? last, last)
        wanted = nil
    }

    /// The log is another one, which begins anew.
    func restart() {
        isGreeted = false
        cursor = nil
        wanted = nil
    }

    /// Events of the log after `low`, those alone that it does not have.
    func pass(_ events: [ToldEvent], after low: UInt64, upTo next: UInt64, _ hasGap: Bool) {
        guard let before = cursor, before < next else { return }
        if hasGap, before == low { send("gap", Array("{\"after\":\(low)}".utf8)) }
        for event in events where event.seq > cursor ?? next {
            stream.send(Self.message("event", event.seq, event.json))
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
