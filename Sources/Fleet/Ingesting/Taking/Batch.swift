import JSON
import PostgreSQL

/// Events that are stored in one transaction, and acknowledged after it.
package struct Batch: Hashable, Sendable {
    /// An event, from whom, and through which broker.
    package struct Row: Hashable, Sendable {
        /// Index of the broker.
        package var broker: Int
        /// From whom.
        package var topic: BoxTopic
        /// What.
        package var event: TakenEvent

        package init(broker: Int, topic: BoxTopic, event: TakenEvent) {
            self.broker = broker
            self.topic = topic
            self.event = event
        }
    }

    /// In the order of arrival.
    package var rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    /// Calls the function that stores all of them.
    package static let sql = """
        SELECT fleet.take($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[], \
        $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::float8[], $11::boolean[], \
        $12::jsonb[])
        """

    /// The arrays of ``sql``.
    package var parameters: [String?] {
        func array(_ element: (Row) -> String?) -> String {
            var text = ArrayText()
            for row in rows { text.append(element(row)) }
            return text.text
        }
        return [
            array { $0.topic.tenant }, array { $0.topic.box }, array { $0.event.log },
            array { String($0.event.seq) }, array { String($0.event.previous) },
            array { $0.event.time }, array { $0.event.kind }, array { $0.event.fence },
            array { $0.event.title }, array { $0.event.stay.map { String($0) } },
            array { $0.event.inferred ? "t" : "f" }, array { $0.event.details },
        ]
    }

    /// Two halves, to find the row that the database refuses; nil for a single one.
    package var halves: (Batch, Batch)? {
        guard rows.count > 1 else { return nil }
        let middle = rows.count / 2
        return (Batch(Array(rows[..<middle])), Batch(Array(rows[middle...])))
    }

    /// One message to a box.
    package struct Acknowledgement: Hashable, Sendable {
        /// Index of the broker.
        package var broker: Int
        /// Where.
        package var topic: String
        /// `{"log":…,"ranges":[[4700,4711]]}`.
        package var payload: [UInt8]
    }

    /// One for each box, log and broker. Rows of one box are next to each other in numbers where
    /// nothing lies between them for this destination.
    package var acknowledgements: [Acknowledgement] {
        struct Key: Hashable {
            var broker: Int
            var topic: BoxTopic
            var log: String
        }
        var order: [Key] = []
        var numbers: [Key: Set<Int64>] = [:]
        for row in rows {
            let key = Key(broker: row.broker, topic: row.topic, log: row.event.log)
            if numbers[key] == nil { order.append(key) }
            numbers[key, default: []].insert(row.event.seq)
        }
        return order.map { key in
            Acknowledgement(
                broker: key.broker, topic: key.topic.acknowledgements,
                payload: Self.payload(key.log, numbers[key, default: []].sorted()))
        }
    }

    /// The payload of an acknowledgement; `numbers` ascend.
    package static func payload(_ log: String, _ numbers: [Int64]) -> [UInt8] {
        var ranges: [(Int64, Int64)] = []
        for number in numbers {
            if let last = ranges.last, last.1 == number - 1 {
                ranges[ranges.count - 1].1 = number
            } else {
                ranges.append((number, number))
            }
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("log")
        json.string(log)
        json.key("ranges")
        json.beginArray()
        for range in ranges {
            json.beginArray()
            json.integer(range.0)
            json.integer(range.1)
            json.endArray()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
