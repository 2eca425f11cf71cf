import HTTP
import Ingesting
import MQTT
import Settings
import Time
import Uplinking

/// What a broker brings to a box and to an ingest, dates of servers, and files that describe a
/// destination.
enum FleetFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = BrokerAddress(text)
        _ = HTTPDate.time(text)
        let read = UplinkSettings.read(ProgramSettings(bytes, path: "f"))
        if (read.settings == nil) == read.problems.isEmpty {
            return "neither settings nor a problem, or both"
        }
        return acknowledgement(bytes) ?? payload(bytes) ?? archive(bytes)
    }

    /// What a file of archived events unpacks to, in two pieces.
    private static func archive(_ bytes: [UInt8]) -> String? {
        var pieces = [bytes[(bytes.count / 2)...], bytes[..<(bytes.count / 2)]].filter {
            !$0.isEmpty
        }
        guard let reader = try? ArchiveReader("f", { pieces.popLast() ?? [] }) else { return nil }
        var size = 0
        while let row = try? reader.next() { size += row.count }
        return size > bytes.count ? "more rows than there are bytes" : nil
    }

    /// A box that has sent the events 1 to 3, and not 4.
    private static func acknowledgement(_ bytes: [UInt8]) -> String? {
        guard let acknowledgement = BackendAck(bytes) else { return nil }
        var window = SendWindow(position: 0)
        for seq in UInt64(1)...3 { window.add(seq, [0x7B, 0x7D]) }
        guard let batch = window.next(at: .boot) else { return "nothing to send" }
        window.sent(batch, id: 1, at: .boot)
        window.add(4, [0x7B, 0x7D])
        window.acknowledge(acknowledgement.ranges)
        _ = window.advance()
        return window.position > 3 ? "an event that was not sent is acknowledged" : nil
    }

    private static func payload(_ bytes: [UInt8]) -> String? {
        guard let topic = BoxTopic("gf/1/t/b/event") else { return "no topic" }
        var statuses = StatusQueue()
        _ = statuses.add(bytes, from: topic, isRetained: false)
        if statuses.next()?.contains(where: { $0?.utf8.contains(0) ?? false }) ?? false {
            return "a status that PostgreSQL does not have"
        }
        var positions = PositionQueue()
        if positions.add(bytes, from: topic) == nil, (positions.next()?[2] ?? "").utf8.contains(0) {
            return "a position that PostgreSQL does not have"
        }
        let elements = Payload.elements(of: bytes)
        if elements.isEmpty { return "a payload without any element" }
        let rows = elements.compactMap { element in
            (try? element.get()).map { Batch.Row(broker: 0, topic: topic, event: $0) }
        }
        guard !rows.isEmpty else { return nil }
        let batch = Batch(rows)
        let texts: [String?] = rows.flatMap { row -> [String?] in
            [row.event.kind, row.event.fence, row.event.title, row.event.details]
        }
        if texts.contains(where: { $0?.utf8.contains(0) ?? false }) {
            return "a text that PostgreSQL does not have"
        }
        // A header, a flag of its own size for each number, and the number.
        guard batch.parameters[3].count == 20 + 12 * rows.count else {
            return "no array of numbers"
        }
        // What the ingest acknowledges is what it has taken.
        var numbers: Set<UInt64> = []
        for message in batch.acknowledgements {
            guard let read = BackendAck(message.payload) else { return "no acknowledgement" }
            for range in read.ranges { numbers.formUnion(range) }
        }
        let taken = Set(rows.map { UInt64($0.event.seq) })
        return numbers == taken ? nil : "taken: \(taken), acknowledged: \(numbers)"
    }
}
