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

    /// The arrays of ``sql``, in binary format.
    package var parameters: [[UInt8]] {
        func array(
            _ element: BinaryArray.Element, size: Int = 16,
            _ append: (inout BinaryArray, Row) -> Void
        ) -> [UInt8] {
            var array = BinaryArray(of: element, size: 20 + rows.count * size)
            for row in rows { append(&array, row) }
            return array.bytes
        }
        return [
            array(.text) { $0.append($1.topic.tenant) }, array(.text) { $0.append($1.topic.box) },
            array(.uuid, size: 20) { $0.append(hexadecimal: $1.event.log) },
            array(.bigint) { $0.append($1.event.seq) },
            array(.bigint) { $0.append($1.event.previous) },
            array(.timestamptz) { $0.append(milliseconds: $1.event.milliseconds) },
            array(.text) { $0.append($1.event.kind) }, array(.text) { $0.append($1.event.fence) },
            array(.text, size: 32) { $0.append($1.event.title) },
            array(.float8) { $0.append($1.event.stay) },
            array(.boolean) { $0.append($1.event.inferred) },
            array(.jsonb, size: 256) { $0.append($1.event.details) },
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
